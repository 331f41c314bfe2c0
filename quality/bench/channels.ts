import { brokers } from './channels/brokers.ts'
import { fanOut } from './channels/fan-out.ts'
import { idleConnections } from './channels/idle.ts'
import { whoAmI } from './channels/who-am-i.ts'
import { type Findings, together } from './findings.ts'

/** STOMP over WebSocket and gRPC. */
export async function channels(): Promise<Findings> {
  const kinds = brokers()
  return together({
    'STOMP, idle': await idleConnections(kinds),
    'STOMP, fan-out': await fanOut(kinds),
    gRPC: await whoAmI(),
  })
}
