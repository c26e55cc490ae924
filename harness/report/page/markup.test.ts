import { expect, test } from 'vitest'
import { html, trusted, withCode } from './markup.js'

test('what stands in a hole is text in any place, and only markup is markup', () => {
  const hostile = `"><script>alert('x')</script>&lt;`
  expect(html`<p title="${hostile}">${[hostile, 1, null]}${html`<b>${trusted('<i>')}</b>`}</p>`.source).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;lt;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;lt;1<b><i></b></p>',
  )
})

test('control characters become spaces, and half surrogates and direction marks are left out', () => {
  expect(html`${'a\u0000b\u001B[1m\nc\uD800\u202E\u200Bd 😀'}`.source).toBe('a b [1m cd 😀')
})

test('names between backticks are code, and still text; a lone backtick stays', () => {
  expect(html`${withCode('`a<b` of `c` is “d`”')}`.source).toBe('<code>a&lt;b</code> of <code>c</code> is “d`”')
})
