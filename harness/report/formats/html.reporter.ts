import { defineReporter } from '../../contract/index.js'

export default defineReporter({
  name: 'html',
  summary: 'HTML: a page that stands alone, with charts, failures and timelines',
  async run(input) {
    const { htmlPage } = await import('../page/page.js')
    return htmlPage(input)
  },
})
