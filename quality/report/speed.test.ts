import { expect, it } from 'vitest'
import { rowsOf } from './speed.ts'

const MACHINE = '2026-11-22, 2 cores'
const resultWith = (found: object) => ({ machine: MACHINE, goals: [], ratios: [], ...found })

it('a row states the goal and the command that measures it again', () => {
  const goals = [{ what: 'a call', peer: 'hono takes', measured: '3 ×', wanted: '≥ 2 ×', isMet: true }]
  expect(rowsOf('warm', resultWith({ goals }))).toEqual([
    ['a call: hono takes', '3 ×', '≥ 2 ×', 'met', `\`bench warm\`, ${MACHINE}`],
  ])
})

it('a missed goal states by how much and why, or that the cause is unknown', () => {
  const missed = { what: 'a call', measured: '6', wanted: '≤ 5', isMet: false, missedBy: 20 }
  const [known, unknown] = rowsOf('warm', resultWith({ goals: [{ ...missed, why: 'An index.' }, missed] }))
  expect(known?.[3]).toBe('**missed** by 20 %. An index.')
  expect(unknown?.[3]).toBe('**missed** by 20 %. Not explained.')
})

it('a library that takes less has a row as well', () => {
  const ahead = [{ what: 'a call', peer: 'stomp-broker-js takes', measured: '0.68 ×' }]
  expect(rowsOf('channels', resultWith({ ahead }))).toMatchObject([
    ['a call: stomp-broker-js takes', '0.68 ×', '', '**ahead of ours**', `\`bench channels\`, ${MACHINE}`],
  ])
})
