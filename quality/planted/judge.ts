/** What vitest's JSON report says of one file. */
export interface TestedFile {
  readonly name: string
  readonly assertionResults: readonly {
    readonly status: string
    readonly fullName: string
    readonly failureMessages?: readonly string[] | null
  }[]
}

/**
 * What became of a bug: tests failed because of it, none did, or nothing can be said, because the code with the bug in it
 * does not run at all.
 */
export type Verdict =
  | { readonly kind: 'caught'; readonly by: readonly string[] }
  | { readonly kind: 'missed' }
  | { readonly kind: 'broken'; readonly why: string }

/** A slip of the change itself, which any test would notice. */
const SLIP = /^(?:ReferenceError|SyntaxError)\b/

export function judge(file: TestedFile | undefined): Verdict {
  const tests = file?.assertionResults ?? []
  const failed = tests.filter(({ status }) => status === 'failed')
  const slips = failed.flatMap(({ failureMessages }) => failureMessages?.filter((message) => SLIP.test(message)) ?? [])
  if (slips[0] !== undefined) return { kind: 'broken', why: slips[0].split('\n', 1)[0] ?? '' }
  if (tests.length === 0) return { kind: 'broken', why: 'no test ran' }
  return failed.length === 0 ? { kind: 'missed' } : { kind: 'caught', by: failed.map(({ fullName }) => fullName) }
}
