import { defineReporter } from '../reporter.js'

export default defineReporter({
  name: 'html',
  summary: 'HTML: a page that stands alone, with charts, failures and timelines',
  async render(input) {
    const { htmlPage } = await import('../page/page.js')
    return htmlPage(input)
  },
})
