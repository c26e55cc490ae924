import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { surfaces } from './index.js'

const names = Object.keys(surfaces)

test('Every file beside the list declares a surface that is listed.', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => !/\.test\.ts$|^index\.ts$/.test(file))
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.ts`).toSorted())
})
