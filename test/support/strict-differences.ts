import { beforeEach, type RunnerTestCase } from 'vitest'

/** What is otherwise on a strict run, as it is on AWS: the reason, and which tests it concerns. */
const DIFFERENCES: readonly (readonly [reason: string, tests: RegExp])[] = [
  [
    'the gateway itself refuses headers',
    /headers? .*(?:too (?:large|many)|more than)|than (?:Node reads|the headers)|431 Request Header/i,
  ],
  ['the gateway itself refuses an event of more than 6 MB', /a million keys/],
  [
    'a path comes decoded',
    /as it was sent$|path of an error is raw|an absolute request target|GET \/api%2F|\.\.%2findex/,
  ],
  ['a text of another encoding comes as UTF-8', /UTF-8|"data":\[34,255,34\]/],
]

beforeEach(({ task, skip }) => {
  const name = fullName(task as RunnerTestCase)
  const [reason] = DIFFERENCES.find(([, tests]) => tests.test(name)) ?? []
  if (reason !== undefined) skip(reason)
})

function fullName({ name, suite }: { readonly name: string; readonly suite?: { name: string } | undefined }): string {
  return suite === undefined ? name : `${fullName(suite)} ${name}`
}
