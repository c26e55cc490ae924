import { expect, test } from 'vitest'
import { stage } from '../../harness/testing/environment/stage.js'
import waterHammer from './water-hammer.env.js'

test('a refused login says the same for a wrong user and a wrong code, and grants nothing', async () => {
  const { act, value } = await stage(waterHammer)
  const wrongCode = act('security_terminal', 'login', { user: 'operator-17', code: 'KILO-4483' })
  expect(wrongCode).toMatchObject({
    outcome: 'refused',
    rule: '`user` and `code` must be the credentials on record for staff',
  })
  expect(act('security_terminal', 'login', { user: 'admin', code: 'KILO-4482' })).toEqual(wrongCode)
  expect(value('security_terminal', 'auth_level')).toBe('NONE')
})

test.each([true, false])(
  'the credentials (random: %s) stand in the employee handbook and nowhere else',
  async (random) => {
    for (const seed of ['a', 'b', 'c']) {
      const params = { randomCredentials: random, distractors: 50 }
      const { world, document, act } = await stage(waterHammer, params, seed)
      const table = /\| `<USER>` \| `(.+?)` \|\n\| `<CODE>` \| `(.+?)` \|/
      const [, user = '', code = ''] = document('employee_handbook').match(table) ?? []
      const shown = (text: string) => text.includes(user) || text.includes(code)
      expect(world.documents.filter(({ text }) => shown(text)).map(({ id }) => id)).toEqual(['employee_handbook'])
      expect(shown(JSON.stringify([world.tools, world.documents.map(({ summary }) => summary)]))).toBe(false)
      expect(act('security_terminal', 'login', { user, code })).toMatchObject({ outcome: 'accepted' })
    }
  },
)

test('random credentials differ between seeds', async () => {
  const texts = await Promise.all(
    ['a', 'b'].map(async (seed) => {
      const { document } = await stage(waterHammer, { randomCredentials: true }, seed)
      return document('employee_handbook')
    }),
  )
  expect(texts[0]).not.toBe(texts[1])
})
