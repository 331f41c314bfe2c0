import { expect, it } from 'vitest'
import { whenSettled } from '../../../lib/grpc/when-settled.ts'

const broken = new Error('broken')

const WORKS = [
  ['a value', () => 1, ['done 1']],
  ['a promise', () => Promise.resolve(1), ['done 1']],
  ['a throw', () => raise(), ['failed broken']],
  ['a rejection', () => Promise.reject(broken), ['failed broken']],
] as const satisfies readonly (readonly [string, () => unknown, readonly string[]])[]

it.each(WORKS)('%s is called back once', async (_, work, expected) => {
  const heard: string[] = []
  whenSettled<number>(
    work,
    (value) => heard.push(`done ${value}`),
    (error) => heard.push(`failed ${(error as Error).message}`),
  )
  await expect.poll(() => heard).toEqual(expected)
})

it('a value is called back before the function returns', () => {
  const heard: number[] = []
  whenSettled(
    () => 1,
    (value) => heard.push(value),
    raise,
  )
  expect(heard).toEqual([1])
})

it.each([
  ['at once', () => 1],
  ['later', () => Promise.resolve(1)],
])('an error that is thrown while it is called back %s is a failure', async (_, work) => {
  const failures: unknown[] = []
  whenSettled<number>(work, raise, (error) => failures.push(error))
  await expect.poll(() => failures).toEqual([broken])
})

function raise(): never {
  throw broken
}
