import { env } from 'node:process'
import { configuredSources } from '../../infra/team-config.ts'
import type { Catalog } from '../../lib/webhooks/sources/catalog.ts'
import { addressOption, FLAG, printerFor, readOptions, runCommand, TEXT, UsageError, wholeOption } from '../command.ts'
import { StartError } from '../errors.ts'
import { reportVerdicts, VERDICT_OPTIONS, VERDICT_USAGE } from '../lab/verdicts.ts'
import { localRun } from '../local-run.ts'
import { countAt, demandOpen, receiverWithin } from '../receiver/receiver.ts'
import description from '../receiver/schemes.json' with { type: 'json' }
import { trial } from '../receiver/trial.ts'
import { credentialsOf } from '../senders/signers.ts'
import { knownSender } from '../senders/table.ts'
import { readBytes } from '../signatures.ts'

const USAGE = `npx gatehouse try-receiver --url ADDRESS --as PROVIDER [options]

Sends signed events of a provider to a receiver of webhooks, one fault after the other, and says what it did, what it should have
done and why. Exit 0 if all verdicts are as expected, else 1; 2 for wrong options. Of its answers only the status is shown.

  --url ADDRESS             of the receiver; loopback and private networks are allowed, the metadata of a cloud is not
  --as PROVIDER             as in npx gatehouse send --list
  --secret TEXT             what the receiver verifies with: a secret or a public key (WEBHOOK_SECRETS, else the local run's)
  --signing-key FILE        the private key of that public key in PEM
  --next-secret TEXT        a second secret that the receiver knows
  --former-secret TEXT      a secret that the receiver knew before
  --effects ADDRESS         answers with the number of effects so far: whether a repeated event had two is not seen otherwise
  --timeout N               seconds for each answer (10)
${VERDICT_USAGE}
  --json                    a line of JSON for each verdict, and for each fault that is left out
`

const OPTIONS = {
  ...VERDICT_OPTIONS,
  url: TEXT,
  as: TEXT,
  secret: TEXT,
  'signing-key': TEXT,
  'next-secret': TEXT,
  'former-secret': TEXT,
  effects: TEXT,
  timeout: { type: 'string', default: '10' },
  json: FLAG,
} as const

function sourceOf(name: string, { configured }: Catalog): string {
  const schemes: Readonly<Record<string, { readonly source: string }>> = description.schemes
  return configured.has(name) ? 'gatehouse.config.ts' : (schemes[name]?.source ?? 'docs/webhooks.md')
}

/** @returns the exit code. @throws UsageError, StartError */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  if (values.url === undefined) throw new UsageError('--url must be the address of the receiver')
  const name = (values.as ?? '').toLowerCase()
  const sources = await configuredSources()
  const sender = knownSender(name, sources)
  const address = demandOpen(addressOption(values.url), '--url')
  const seconds = wholeOption('--timeout', values.timeout, [1, 60])
  const counter =
    values.effects === undefined ? undefined : demandOpen(addressOption(values.effects, '--effects'), '--effects')
  const signingKey = values['signing-key'] === undefined ? undefined : `${readBytes(values['signing-key'])}`
  const secretOf = (secret: string | undefined) => (secret === undefined ? undefined : { secret })
  const bench = {
    ...{ name, sender, sources, url: address.href, source: sourceOf(name, sources) },
    credentials:
      values.secret === undefined ? credentialsOf(name, localRun(env)) : { secret: values.secret, signingKey },
    next: secretOf(values['next-secret']),
    former: secretOf(values['former-secret']),
  }
  if (counter && Number.isNaN(await countAt(counter, seconds)))
    throw new StartError('--effects does not answer with a whole number')
  const { verdicts, leftOut } = await trial(bench, {
    receiver: receiverWithin(seconds),
    effects: counter && (() => countAt(counter, seconds)),
  })
  const print = printerFor(values.json)
  const code = reportVerdicts(`receiver.${name}`, verdicts, values, print)
  for (const [fault, reason] of Object.entries(leftOut))
    print({ name: fault, outcome: 'left out', reason }, `left out  ${fault.padEnd(16)}  ${reason}\n`)
  return code
}

if (import.meta.main) await runCommand({ name: 'try-receiver', usage: USAGE, failure: 2, run })
