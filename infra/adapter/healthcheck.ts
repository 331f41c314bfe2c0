import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:http2'
import { exit, stderr } from 'node:process'
import { loadConfig } from '../../lib/runtime/config.ts'
import { channelSettings } from '../../lib/runtime/settings/channels.ts'

/** Shorter than the timeout of the health check's caller, in milliseconds. */
const PATIENCE_MS = 4000

/** A message with a 5-byte prefix and no field: without a service name the check covers the whole server. */
const WHOLE_SERVER = Buffer.from([0, 0, 0, 0, 0])

/** The same prefix with length 2: field 1, the status, is 1, SERVING. */
const SERVING = Buffer.from([0, 0, 0, 0, 2, 8, 1])

const { GRPC_PORT, WS_PORT } = channelSettings
const ports = loadConfig({ GRPC_PORT, WS_PORT })

async function demandHttp(signal: AbortSignal): Promise<void> {
  const request = get(`http://127.0.0.1:${ports.WS_PORT}/healthz`, { signal })
  const [response]: IncomingMessage[] = await once(request, 'response')
  if (response?.statusCode !== 200) throw new Error(`/healthz answers ${response?.statusCode}`)
}

/** `Health/Check` of https://github.com/grpc/grpc/blob/master/doc/health-checking.md, without a client library. */
async function demandGrpc(signal: AbortSignal): Promise<void> {
  const session = connect(`http://127.0.0.1:${ports.GRPC_PORT}`)
  const { promise: broken, reject } = Promise.withResolvers<never>()
  session.on('error', reject)
  const call = session.request(
    { ':method': 'POST', ':path': '/grpc.health.v1.Health/Check', 'content-type': 'application/grpc', te: 'trailers' },
    { signal },
  )
  const answer = Buffer.concat(await Promise.race([call.end(WHOLE_SERVER).toArray(), broken]))
  if (!answer.equals(SERVING)) throw new Error('gRPC does not serve')
}

const signal = AbortSignal.timeout(PATIENCE_MS)
try {
  await Promise.all([demandHttp(signal), demandGrpc(signal)])
  exit(0)
} catch (error) {
  stderr.write(`${error}\n`)
  exit(1)
}
