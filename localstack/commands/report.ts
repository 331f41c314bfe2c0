import { env } from 'node:process'
import * as z from 'zod/mini'
import { addressOption, FLAG, printerFor, readOptions, runCommand, TEXT, UsageError } from '../command.ts'
import { CLIENT_NAME } from '../lab/call.ts'
import { reportVerdicts, VERDICT_OPTIONS, VERDICT_USAGE } from '../lab/verdicts.ts'
import { localRun } from '../local-run.ts'
import { askAt } from '../operator/api-client.ts'
import { expectedBody } from '../operator/refusal.ts'

const USAGE = `npx gatehouse report <client> [<fault>…] [options]

Prints what the lab of the local run found out about a client, below all faults or the named ones: docs/guide/test-your-client.md.
Exit 1 if a verdict is not "passed".

${VERDICT_USAGE}
  --url ADDRESS             of the service (the local run)
  --json                    a line of JSON for each verdict
`

const report = z.object({
  faults: z.array(
    z.object({ fault: z.string(), goodClient: z.string(), why: z.string(), verdict: z.string(), finding: z.string() }),
  ),
})

async function print(args: readonly string[]): Promise<number> {
  const options = { ...VERDICT_OPTIONS, url: TEXT, json: FLAG }
  const { values, positionals } = readOptions({ args: [...args], options, allowPositionals: true })
  const [client = '', ...wanted] = positionals
  if (!CLIENT_NAME.test(client)) throw new UsageError('Name a client as in its header X-Client-Name')
  const url = values.url === undefined ? localRun(env).address : addressOption(values.url)
  const { faults } = await expectedBody(await askAt(url)(`/lab/report/${client}`), report)
  const unknown = wanted.filter((name) => !faults.some(({ fault }) => fault === name))
  if (unknown.length > 0) throw new UsageError(`There is no fault ${unknown.join(', ')}`)
  const verdicts = faults
    .filter(({ fault }) => wanted.length === 0 || wanted.includes(fault))
    .map(({ fault: name, goodClient: should, why, verdict, finding: did }) => {
      return { name, ok: verdict === 'passed', did, should, why }
    })
  return reportVerdicts(`lab.${client}`, verdicts, values, printerFor(values.json))
}

if (import.meta.main) await runCommand({ name: 'report', usage: USAGE, run: print })
