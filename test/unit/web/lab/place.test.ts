import { signal } from '@preact/signals'
import { expect, it } from 'vitest'
import { ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import { ATTACKS } from '../../../../web/lab/attacks.ts'
import type { Lab } from '../../../../web/lab/lab.ts'
import { authIn, openedIn, toAttack, toCell } from '../../../../web/lab/place.ts'

const lab = { running: 'default', allRows: Object.entries(ROUTES) } as unknown as Lab
const CELL = { name: 'authInfo', route: ROUTES.authInfo, auth: 'bearer' } as const

const addressWith = (fields: Readonly<Record<string, string>>) => ({
  fields: signal(fields),
  go: () => {},
  linkTo: () => '',
})

it.each(['default', 'jdbc'] as const)('the address of a cell opens it again, in profile %s', (profile) => {
  expect(openedIn(addressWith(toCell(CELL, profile, lab)), lab)).toEqual({ kind: 'cell', cell: CELL, profile })
})

it.each(ATTACKS)('the address of the attack "$label" opens it again', (attack) => {
  expect(openedIn(addressWith(toAttack(attack)), lab)).toEqual({ kind: 'attack', attack })
})

it.each([
  {},
  { open: 'authInfo' },
  { open: 'authInfo.magic' },
  { open: '__proto__.bearer' },
  { open: 'authInfo.constructor' },
  { attack: 'none-such' },
])('%j opens nothing', (fields) => {
  expect(openedIn(addressWith(fields), lab)).toBeUndefined()
})

it('an unknown profile becomes the running one, and unknown credentials the token', () => {
  expect(openedIn(addressWith({ open: 'authInfo.bearer', profile: 'toString' }), lab)).toMatchObject({
    profile: 'default',
  })
  expect(authIn(addressWith({ way: 'x' }))).toBe('bearer')
  expect(authIn(addressWith({ way: 'session' }))).toBe('session')
})
