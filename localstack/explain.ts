import { argv, exit, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { loadConfig } from '../lib/platform/config.ts'
import { webhookSettings } from '../lib/platform/settings/webhooks.ts'
import { localAddress, webhookSecrets } from './local-run.ts'
import { explain } from './signatures/explain.ts'
import { readRequest } from './signatures/request.ts'
import { StartError } from './start-error.ts'

const USAGE = `npm run explain -- <provider> <file> [--at <time>]

Says why a webhook call is or would be refused: a reason and a sentence. Exit 0 when it is accepted, 1 when it is refused,
2 for arguments or a file that cannot be read.

  <provider>   as in the path; its scheme and its secret are used
  <file>       the request, either as JSON
                 { "method": "POST", "url": "https://…", "headers": { … }, "bodyBase64": "…" }
               or as it came over the wire
                 POST /webhooks/stripe
                 Stripe-Signature: t=…,v1=…
                 (an empty line, then the bytes of the body)
  --at <time>  judge it as at this time (ISO 8601, or seconds since the epoch) instead of now

The secrets are those of WEBHOOK_SECRETS, else those of the local data folder; WEBHOOK_TOLERANCE_SECONDS counts, and
BASE_URL stands before a path. Neither secrets nor expected signatures are printed.
`

const { WEBHOOK_TOLERANCE_SECONDS: toleranceSeconds } = loadConfig({
  WEBHOOK_TOLERANCE_SECONDS: webhookSettings.WEBHOOK_TOLERANCE_SECONDS,
})

const asked = readArguments()

if (!asked) {
  stderr.write(USAGE)
  exit(2)
}

try {
  const { name, file, now } = asked
  const call = readRequest(file, localAddress())
  const { reason, sentence } = explain(call, { name, secrets: webhookSecrets(), now, toleranceSeconds })
  stdout.write(`${reason}: ${sentence}\n`)
  exit(reason === 'accepted' ? 0 : 1)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  stderr.write(`${error.message}\n`)
  exit(2)
}

/** Undefined when they are not as the usage says. */
function readArguments(): { readonly name: string; readonly file: string; readonly now: Date } | undefined {
  const { values, positionals } = parseArgs({
    args: argv.slice(2),
    options: { at: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  const [name, file, ...more] = positionals
  const now = values.at === undefined ? new Date() : timeOf(String(values.at))
  const isKnown = Object.keys(values).every((option) => option === 'at')
  if (!name || !file || more.length > 0 || !isKnown || Number.isNaN(now.getTime())) return undefined
  return { name: name.toLowerCase(), file, now }
}

function timeOf(text: string): Date {
  return new Date(/^\d{1,12}$/.test(text) ? Number(text) * 1000 : text)
}
