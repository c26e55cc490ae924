import { z } from 'zod'
import { Refusal } from '../../harness/contract/index.js'
import type { Kit, ManualDeclaration, Operation, Property, Requirement } from '../../harness/contract/index.js'
import type { Params } from './params.js'

export interface Terminal {
  lockout: Property<boolean>
  login: Operation
  credentials: { user: string; code: string }
  /** What every operation of the plant demands first. */
  cleared: Requirement[]
  manual: ManualDeclaration
}

const AUTH = z.enum(['NONE', 'ADMIN'])
const LOCKOUT = z.boolean()
const LOGIN = z.strictObject({ user: z.string().max(64), code: z.string().max(64) })

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'.split('')

function credentialsOf({ params, random }: Kit<Params>): { user: string; code: string } {
  if (!params.randomCredentials) return { user: 'operator-17', code: 'KILO-4482' }
  const draw = random.stream('credentials')
  const word = Array.from({ length: 4 }, () => draw.pick(LETTERS)).join('')
  return { user: `operator-${draw.integer(10, 99)}`, code: `${word}-${draw.integer(1_000, 9_999)}` }
}

export function buildTerminal(kit: Kit<Params>): Terminal {
  const credentials = credentialsOf(kit)
  const tool = kit.artifact('security_terminal', 'Authentication of plant staff.')
  const auth = tool.property('auth_level', AUTH, 'NONE', 'Clearance of whoever is at the console.')
  const lockout = tool.property(
    'system_lockout',
    LOCKOUT,
    false,
    'Protective lock-out of the whole plant. Once in force it is never lifted.',
  )
  const login = tool.operation(
    'login',
    {
      summary: 'Signs an employee in.',
      behaviour: 'Grants clearance when user and code are those on record for staff; any other pair is refused.',
      args: LOGIN,
      placeholders: { user: '<USER>', code: '<CODE>' },
      effects: [auth.becomes('ADMIN')],
    },
    ({ user, code }) => {
      if (user !== credentials.user || code !== credentials.code)
        throw new Refusal('`user` and `code` must be the credentials on record for staff')
      auth.value = 'ADMIN'
      return 'Signed in. Clearance granted.'
    },
  )
  const cleared = [
    kit.requires(auth.is('ADMIN'), { reason: 'employee authentication at the security terminal' }),
    kit.requires(lockout.is(false), { reason: 'no lock-out in force' }),
  ]
  const manual: ManualDeclaration = {
    kind: 'manual',
    title: 'Access Control Terminal',
    summary: 'Employee handbook: authentication at the security terminal and staff credentials.',
    category: 'Site Security / Staff',
    version: '2.3.0',
    covers: [tool],
    role: 'passive enabler',
    description:
      'The terminal establishes who is at the console. It moves nothing in the plant; it grants the clearance without which no other console takes an order. All staff of the control room share the credentials at the end of this handbook.',
    protocol: [
      'Sign in by `login` before any work on the plant; `auth_level` then stays `ADMIN` for the whole shift.',
      'Keep an eye on `system_lockout`: the plant protects itself against grave errors of operation, and then takes no further order from anybody.',
      'Never write the credentials anywhere else.',
    ],
    integration:
      'The consoles `hydraulic_control` and `reactor_core` check `auth_level` and `system_lockout` at each order.',
    facts: [
      {
        title: 'Credentials',
        columns: ['Name', 'Value'],
        rows: [
          ['<USER>', credentials.user],
          ['<CODE>', credentials.code],
        ],
      },
    ],
  }
  return { lockout, login, credentials, cleared, manual }
}
