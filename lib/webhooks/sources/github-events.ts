import * as z from 'zod/mini'
import { Numeral } from '../json.ts'

const MAXIMUM_LENGTH = 200

/** What is not seen, or changes how the rest is seen: controls, formats, halves of characters, line ends. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

const word = missable(z.pipe(z.string().check(z.minLength(1)), z.transform(shown)))
const ref = missable(z.object({ ref: word }))
const numeral = z.instanceof(Numeral).check(z.refine(({ text }) => /^\d{1,15}$/.test(text)))

/** What is told of docs.github.com/webhooks/webhook-events-and-payloads#push. */
const pushPayload = missable(
  z.object({ ref: word, commits: missable(z.array(z.unknown())), pusher: missable(z.object({ name: word })) }),
)

/** What is told of docs.github.com/webhooks/webhook-events-and-payloads#pull_request. */
const pullRequestPayload = missable(
  z.object({ action: word, number: missable(numeral), pull_request: missable(z.object({ base: ref, head: ref })) }),
)

/** A push in one line of bounded length, whatever JSON it is: `push to refs/heads/main: 3 commits by octocat`. */
export function describePush(payload: unknown): string {
  const { ref, commits, pusher } = z.parse(pushPayload, payload) ?? {}
  const where = ref === undefined ? 'push without a ref' : `push to ${ref}`
  const count = commits === undefined ? '' : `: ${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`
  const who = pusher?.name === undefined ? '' : ` by ${pusher.name}`
  return `${where}${count}${who}`
}

/** A pull request in one line of bounded length, whatever JSON it is: `pull request #7 opened: main <- feature`. */
export function describePullRequest(payload: unknown): string {
  const { action, number, pull_request: request } = z.parse(pullRequestPayload, payload) ?? {}
  const [base, head] = [request?.base?.ref, request?.head?.ref]
  const which = number === undefined ? 'pull request without a number' : `pull request #${number.text}`
  const what = action === undefined ? '' : ` ${action}`
  const branches = base === undefined || head === undefined ? '' : `: ${base} <- ${head}`
  return `${which}${what}${branches}`
}

/** A part that counts as missing when it is not what it should be. */
function missable<S extends z.ZodMiniType>(schema: S) {
  return z.catch(z.optional(schema), undefined)
}

function shown(text: string): string {
  const cut = text.length > MAXIMUM_LENGTH ? `${text.slice(0, MAXIMUM_LENGTH)}…` : text
  return cut.replaceAll(UNSEEN, '\ufffd')
}
