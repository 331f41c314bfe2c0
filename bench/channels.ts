import { fanOut } from './channels/fan-out.ts'
import { idleConnections } from './channels/idle.ts'
import { whoAmI } from './channels/who-am-i.ts'
import { type Findings, judged } from './findings.ts'

/** STOMP over WebSocket and gRPC. */
export async function channels(): Promise<Findings> {
  return judged([...(await idleConnections()), ...(await fanOut()), ...(await whoAmI())])
}
