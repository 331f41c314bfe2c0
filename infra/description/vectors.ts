import { readFileSync } from 'node:fs'
import { providerOf } from '../../lib/webhooks/providers/index.ts'
import { readVectors, secretsOf, type Vector } from '../../localstack/signatures.ts'

/** `examples/vectors/vectors.json`: the vectors of the tests, with the schemes as data. */
export function publishedVectors() {
  const described = JSON.parse(readFileSync('localstack/receiver/schemes.json', 'utf8'))
  return { ...described, vectors: readVectors('test/vectors/webhook-signatures.json').map(published) }
}

/** A published example that is valid at its own time is one of any age. */
function published(vector: Vector) {
  const { id, scheme, method, url, headers, bodyBase64, now, toleranceSec, expected, reason } = vector
  const most = toleranceSec ?? providerOf(scheme).scheme.toleranceSeconds
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const call = { method, url, headers: Object.fromEntries(lowered), bodyBase64 }
  const secrets = secretsOf(vector).map(({ value }) => value)
  const toleranceSeconds = Number.isFinite(most) && expected !== 'stale-but-correct' ? most : null
  return { id, scheme, valid: expected !== 'invalid', reason, ...call, secrets, now, toleranceSeconds }
}
