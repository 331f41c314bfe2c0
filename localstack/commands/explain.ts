import type { Buffer } from 'node:buffer'
import { env } from 'node:process'
import * as z from 'zod/mini'
import { configuredSources } from '../../infra/team-config.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { webhookSettings } from '../../lib/runtime/settings/webhooks.ts'
import { explain } from '../../lib/webhooks/explain/explain.ts'
import type { SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import { FLAG, printerFor, readOptions, runCommand, TEXT, UsageError } from '../command.ts'
import { StartError } from '../errors.ts'
import { localRun } from '../local-run.ts'
import { knownSender } from '../senders/table.ts'
import { readBytes, requestFile, signedCallOf } from '../signatures.ts'
import { joined, jsonIn } from '../stack/http.ts'

const USAGE = `npx gatehouse explain <provider> <file> [--at <time>] [--json]

Says why a webhook call is or would be refused: a reason and a sentence. Exit 0 when it is accepted, 1 when it is refused,
2 for arguments or a file that cannot be read.

  <provider>   as in the path; its scheme and its secret are used
  <file>       the request, either as JSON
                 { "method": "POST", "url": "https://…", "headers": { … }, "bodyBase64": "…" }
               or as it came over the wire
                 POST /webhooks/stripe
                 Stripe-Signature: t=…,v1=…
                 (an empty line, then the bytes of the body)
  --json       one object: reason and sentence
  --at <time>  judge it as at this time (ISO 8601, or seconds since the epoch) instead of now

The secrets are those of WEBHOOK_SECRETS, else those of the local data folder; WEBHOOK_TOLERANCE_SECONDS applies, and
BASE_URL completes a path. Neither secrets nor expected signatures are printed.
`

/** @returns the exit code: 0 for an accepted call, 1 for a refused one */
async function explainFile(args: readonly string[]): Promise<number> {
  const { name, file, now, json } = readArguments(args)
  const { WEBHOOK_TOLERANCE_SECONDS: toleranceSeconds } = loadConfig({
    WEBHOOK_TOLERANCE_SECONDS: webhookSettings.WEBHOOK_TOLERANCE_SECONDS,
  })
  const run = localRun(env)
  const sources = await configuredSources()
  const secrets = run.webhookSecrets()
  if (!secrets.has(name)) knownSender(name, sources)
  const call = readRequest(file, run.address)
  const { scheme, lateSeconds } = sources.sourceOf(name)
  const { maxBodyBytes } = sources.configured.get(name) ?? {}
  const receiver = { name, scheme, lateSeconds, secrets, now, toleranceSeconds }
  const { reason, sentence } = explain({ ...call, maxBodyBytes }, receiver)
  printerFor(json)({ reason, sentence }, `${reason}: ${sentence}\n`)
  return reason === 'accepted' ? 0 : 1
}

function readArguments(args: readonly string[]) {
  const options = { at: TEXT, json: FLAG }
  const { values, positionals } = readOptions({ args: [...args], options, allowPositionals: true })
  const [name, file, ...more] = positionals
  if (!name || !file || more.length > 0) throw new UsageError('Name a provider and a file')
  const now = values.at === undefined ? new Date() : timeOf(values.at)
  if (Number.isNaN(now.getTime())) throw new UsageError('--at must be a time of ISO 8601, or seconds since the epoch')
  return { name: name.toLowerCase(), file, now, json: values.json }
}

function timeOf(text: string): Date {
  return new Date(/^\d{1,12}$/.test(text) ? Number(text) * 1000 : text)
}

/**
 * Reads the request of a file: an object as in the vector files, or the raw request (`METHOD path`, headers, an empty
 * line, the bytes of the body).
 * @param base completes a path to an address
 * @throws StartError for a file that is neither
 */
export function readRequest(file: string, base: URL): SignedCall {
  const bytes = readBytes(file)
  const call = /^\s*\{/.test(bytes.toString('latin1', 0, 64)) ? fromJson(bytes) : fromHttp(bytes, base)
  if (call) return call
  throw new StartError(`${file}: is no request, neither as JSON nor as HTTP`)
}

function fromJson(bytes: Buffer): SignedCall | undefined {
  const { data } = z.safeParse(requestFile, jsonIn(bytes.toString()))
  return data && signedCallOf(data)
}

function fromHttp(bytes: Buffer, base: URL): SignedCall | undefined {
  const [head = '', end = ''] = /^.*?(\r?\n\r?\n|$)/s.exec(bytes.toString('latin1')) ?? []
  const [start = '', ...lines] = head.slice(0, head.length - end.length).split(/\r?\n/)
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(start) ?? []
  const headers = lines.map((line) => /^([^\s:]+):[ \t]*((?:[ \t]*[^ \t])*)[ \t]*$/.exec(line))
  if (method === undefined || target === undefined || headers.includes(null)) return undefined
  return {
    method,
    url: target.startsWith('/') ? `${base.origin}${target}` : target,
    headers: joined(headers.map((header) => [header?.[1]?.toLowerCase() ?? '', header?.[2] ?? ''])),
    body: bytes.subarray(head.length),
  }
}

if (import.meta.main) await runCommand({ name: 'explain', usage: USAGE, failure: 2, run: explainFile })
