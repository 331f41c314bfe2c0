import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoUserAdministration } from '../../lib/adapters/dynamodb/user-administration.ts'
import { hashPassword } from '../../lib/auth/password.ts'
import type { Guess } from '../../lib/auth/sign-in.ts'
import { type EmulatedStore, emulatedStore, TABLES } from '../support/emulated-store.ts'
import type { Guesses, Told } from './guesser.ts'

const PROCESSES = 4
const EACH = 100
const ALL = PROCESSES * EACH
const LIMITS = { perUser: 10, perAddress: 100, perName: 100, windowSeconds: 3600 }
const PASSWORD = 'correct horse'
const ADDRESS = '192.0.2.1'

let store: EmulatedStore
beforeAll(async () => {
  store = await emulatedStore('dynoxide')
})
afterAll(() => store.stop())

/** All guesses at once, dealt out to fresh processes that share the tables. */
async function guessAtOnce(guesses: readonly Guess[]) {
  const children = await Promise.all(Array.from({ length: PROCESSES }, startGuesser))
  try {
    const { users, counters } = TABLES
    const told = children.map(async (child, index) => {
      const own = guesses.filter((_, number) => number % PROCESSES === index)
      child.send({ tables: { users, counters }, limits: LIMITS, guesses: own } satisfies Guesses)
      return (await once(child, 'message'))[0] as Told
    })
    const all = await Promise.all(told)
    const hashes = all.reduce((sum, one) => sum + one.hashes, 0)
    return { hashes, counts: countsOf(all.flatMap(({ answers }) => answers)) }
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

async function startGuesser(): Promise<ChildProcess> {
  const child = fork(`${import.meta.dirname}/guesser.ts`, { execArgv: [] })
  await once(child, 'message')
  return child
}

function countsOf(answers: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(answers, (answer) => answer)].map(([code, same]) => [code, same.length]))
}

async function newUser(): Promise<string> {
  const [username, passwordHash] = [`u-${randomUUID()}`, await hashPassword(PASSWORD)]
  const [id, createdAt] = [randomUUID(), new Date()]
  const user = { id, username, passwordHash, roles: ['ROLE_USER' as const], enabled: true, createdAt }
  expect(await dynamoUserAdministration(store.documents, TABLES).add(user)).toBe('added')
  return username
}

const numbers = Array.from({ length: ALL }, (_, number) => number)

describe(`B09 of ${ALL} guesses at once in ${PROCESSES} processes, no more than the limit reach the hash`, () => {
  it('at one name from one address: ten, and the right password is refused after them', async () => {
    const username = await newUser()
    const wrong = numbers.map((number) => ({ username, password: `wrong ${number}`, address: ADDRESS }))
    const first = await guessAtOnce(wrong)
    expect(first).toEqual({ hashes: 10, counts: { BAD_CREDENTIALS: 10, TOO_MANY_REQUESTS: ALL - 10 } })
    const right = numbers.map(() => ({ username, password: PASSWORD, address: ADDRESS }))
    expect(await guessAtOnce(right)).toEqual({ hashes: 0, counts: { TOO_MANY_REQUESTS: ALL } })
  })

  it('at one name from one address: ten, and one more if the tenth is right, which resets the count', async () => {
    const username = await newUser()
    const guess = (number: number) => ({
      username,
      password: number === 0 ? PASSWORD : `wrong ${number}`,
      address: '192.0.2.2',
    })
    const { hashes, counts } = await guessAtOnce(numbers.map(guess))
    expect(counts['in'] ?? 0).toBeLessThanOrEqual(1)
    expect(hashes).toBeLessThanOrEqual(counts['in'] ? 20 : 10)
  })

  it('at as many names from one address: a hundred', async () => {
    const guess = (number: number) => ({ username: `name-${number}`, password: 'wrong', address: '192.0.2.3' })
    const { hashes, counts } = await guessAtOnce(numbers.map(guess))
    expect(hashes).toBe(100)
    expect(counts).toEqual({ BAD_CREDENTIALS: 100, TOO_MANY_REQUESTS: ALL - 100 })
  })

  it('at one name from as many addresses: a hundred', async () => {
    const username = await newUser()
    const guess = (number: number) => ({
      username,
      password: `wrong ${number}`,
      address: `198.51.${Math.floor(number / 250)}.${number % 250}`,
    })
    const { hashes, counts } = await guessAtOnce(numbers.map(guess))
    expect(hashes).toBe(100)
    expect(counts).toEqual({ BAD_CREDENTIALS: 100, TOO_MANY_REQUESTS: ALL - 100 })
  })
})
