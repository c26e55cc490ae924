import type { DocumentDeclaration } from '../../harness/contract/index.js'

/** Texts of the same office, about tools that this world does not have. */
export const DISTRACTORS: readonly [string, DocumentDeclaration][] = [
  [
    'print_room',
    {
      kind: 'plain',
      title: 'Print Room',
      summary: 'Print room: paper sizes, toner, and what to do about a jam.',
      covers: ['laser_printer'],
      text: `The large printer takes A4 and A3. Toner is in the cupboard to the left; empty cartridges go into the grey box.

A jam is cleared from the back. Whoever opens the front first will find nothing there but a warm roller and a warning.`,
    },
  ],
  [
    'filing_rules',
    {
      kind: 'plain',
      title: 'Filing Rules',
      summary: 'Archive: how long a file is kept, and under which letter.',
      covers: ['archive_shelf'],
      text: `Letters are kept for six years, invoices for ten, drafts until their final version has been signed.

Files stand under the first letter of the department, then under the year. The key to the cellar hangs at the desk of the porter.`,
    },
  ],
]
