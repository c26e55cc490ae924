import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cli, scratch } from '../testing/cli.js'

const smoke = (folder: string) => ['run', 'smoke', '--agents', 'react-sync,s-ora', '--scenarios', '2', '--out', folder]

test('several reports at once are written by their extensions, the same as those in the run’s folder', async () => {
  const [folder, elsewhere] = [scratch(), scratch()]
  const wanted = ['a.md', 'b.csv', 'c.html', 'd.tex', 'e.xml', 'f.json'].map((file) => join(elsewhere, file))
  const { code } = await cli(...smoke(folder), ...wanted.flatMap((path) => ['-o', path]))
  expect(code).toBe(0)
  const [markdown, csv, html, tex, xml, json] = wanted.map((path) => readFileSync(path, 'utf8'))
  const own = (file: string) => readFileSync(join(folder, file), 'utf8')
  expect([csv, html, xml, json]).toEqual([
    own('summary.csv'),
    own('report.html'),
    own('junit.xml'),
    own('summary.json'),
  ])
  expect(tex).toMatch(/\\begin\{tabular\}/)
  expect(markdown?.replace(/\]\(.*codebook\.md\)/, '](codebook.md)')).toBe(own('report.md'))
  expect(html).toContain('react-sync')
})

test('a page shows the timelines that were asked for, by the ends of their trials’ ids', async () => {
  const [folder, page] = [scratch(), join(scratch(), 'page.html')]
  await cli(...smoke(folder), '--model', 'sim:careful')
  const { code } = await cli('report', folder, '-o', page, '--timeline', 's-ora/sim:careful/1')
  expect(code).toBe(0)
  expect([...readFileSync(page, 'utf8').matchAll(/aria-label="Timelines: ([^"]*)"/g)].map(([, ids]) => ids)).toEqual([
    'water-hammer/s-ora/sim:careful/1',
  ])
  expect(await cli('report', folder, '--timeline', 'nobody/7')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^No trial "nobody\/7" in /),
  })
})

test('an extension that nobody writes, and a timeline of no trial, are refused before the run starts, with what is known', async () => {
  const folder = scratch()
  const { code, err } = await cli(...smoke(folder), '-o', 'report.md', '-o', 'report.docx')
  expect({ code, err }).toEqual({
    code: 2,
    err: 'No report can be written to "report.docx": its extension must be one of .csv, .html, .json, .md, .tex, .xml.\n',
  })
  expect(await cli(...smoke(folder), '--timeline', 's-ora/2')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^No trial "s-ora\/2" in this plan\. Its ids look like water-hammer\//),
  })
  expect(existsSync(folder)).toBe(false)
})

test('a report that cannot be written is the user’s mistake, and the run itself is kept', async () => {
  const [folder, taken] = [scratch(), join(scratch(), 'taken.md')]
  mkdirSync(taken, { recursive: true })
  expect(await cli(...smoke(folder), '-o', taken)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/The report ".*taken\.md" cannot be written: EISDIR/),
  })
  expect(existsSync(join(folder, 'report.md'))).toBe(true)
})

test('without traces the page says so, and everything else is shown', async () => {
  const folder = scratch()
  await cli(...smoke(folder), '--traces', 'none', '--model', 'sim:careful')
  const page = readFileSync(join(folder, 'report.html'), 'utf8')
  expect(page).toContain('The run kept no trace of water-hammer/react-sync/sim:careful/0.')
  expect(page).toContain('<h3>Charts</h3>')
})

test('a run leaves the same trials and traces however many of them are played at once', async () => {
  const [one, eight] = [scratch(), scratch()]
  const [model, agents] = ['sim:hasty?correlation=0.3', 'react-polling,react-await,s-ora']
  for (const [folder, concurrency] of [[one, '1'] as const, [eight, '8'] as const])
    await cli('run', 'smoke', '--agents', agents, '--model', model, '--concurrency', concurrency, '--out', folder)
  const filesIn = (folder: string) =>
    readdirSync(join(folder, 'traces'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl/.test(name))
  const traces = filesIn(one)
  expect([traces.length, filesIn(eight).toSorted()]).toEqual([9, traces.toSorted()])
  for (const file of ['trials.jsonl', ...traces.map((name) => join('traces', name))])
    expect(readFileSync(join(eight, file)).equals(readFileSync(join(one, file)))).toBe(true)
})
