import { STRANGER } from '../runtime/strangers.ts'

/** What one session may take; times in milliseconds. */
export interface SessionLimits {
  readonly connectTimeout: number
  /** How often the server sends and wants a heart-beat at most; 0 is never. */
  readonly heartBeat: number
  readonly subscriptions: number
  readonly openTransactions: number
  /** In all open transactions. */
  readonly transactionFrames: number
  /** Messages of a subscription that wait for their ACK; further ones wait with the server. */
  readonly unacknowledged: number
  /** Bodies that the server keeps for a session: in open transactions, or behind unacknowledged messages. */
  readonly keptBytes: number
  /** What the client may leave unread. */
  readonly bufferedBytes: number
  /** What may come before CONNECTED. */
  readonly earlyBytes: number
  readonly framesPerSecond: number
  readonly frameBurst: number
}

const MIB = 2 ** 20

export const SESSION_LIMITS: SessionLimits = {
  connectTimeout: STRANGER.patience,
  heartBeat: 10_000,
  subscriptions: 64,
  openTransactions: 16,
  transactionFrames: 1000,
  unacknowledged: 100,
  keptBytes: MIB,
  bufferedBytes: MIB,
  earlyBytes: STRANGER.messageBytes,
  framesPerSecond: 100,
  frameBurst: 1000,
}
