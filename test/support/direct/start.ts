// Starts the service as `npm start` does, with another gateway: gateway.ts.
import { join } from 'node:path'
import { loadEngine } from '../../../localstack/stack/gateway.ts'

const engine = loadEngine([join(import.meta.dirname, 'gateway.ts')])
const { runLocally } = await import('../../../localstack/stack/run.ts')
await runLocally(engine, { channels: 'infra/adapter/main.ts' })
