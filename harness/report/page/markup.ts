/** Markup that is safe to print. Made by `html` (which escapes every hole) or, for what we generated ourselves, by `trusted`. */
export class Markup {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  toString(): string {
    return this.source
  }
}

export type Content = Markup | string | number | null | readonly Content[]

/** A template of HTML or SVG: what stands in its holes is text, whatever it looks like, unless it is `Markup`. */
export function html(parts: TemplateStringsArray, ...holes: readonly Content[]): Markup {
  return new Markup(parts.map((part, index) => dense(part) + print(holes[index] ?? null)).join(''))
}

/** The indentation of our templates is for their readers. */
const dense = (part: string): string => part.replaceAll(/\n\s+/g, '\n')

/** Only for what our own code wrote: styles, and the SVG of the chart library. */
export function trusted(source: string): Markup {
  return new Markup(source)
}

interface TableParts {
  /** A class of the page's style. */
  style?: string
  caption: Markup
  heads: Content
  rows: readonly Markup[]
}

/** A table that is scrolled, and never the page, where it is too wide. */
export const tableMarkup = ({ style, caption, heads, rows }: TableParts): Markup =>
  html`<div class="wide">
    <table${style === undefined ? null : html` class="${style}"`}>
      <caption>
        <span>${caption}</span>
      </caption>
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`

/** The head of a column of numbers. */
export const head = (text: string): Markup => html`<th class="n" scope="col">${text}</th>`

/** A sentence in which names stand between backticks: each becomes code. */
export function withCode(sentence: string): Content {
  return sentence.split(/`([^`]+)`/).map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))
}

function print(content: Content): string {
  if (content === null) return ''
  if (content instanceof Markup) return content.source
  if (typeof content === 'object') return content.map(print).join('')
  return escape(String(content))
}

/** For text and for quoted attributes. Control characters, half surrogates and invisible direction marks are left out. */
export function escape(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Cs}\uFFFE\uFFFF]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
