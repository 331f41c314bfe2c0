import { STRANGER } from '../runtime/strangers.ts'

/** Limits that settings change. */
interface ChosenLimits {
  /** How often the server sends and expects a heart-beat at most, in milliseconds; 0 is never. */
  readonly heartBeat: number
  /** Of one frame. */
  readonly bodyBytes: number
  readonly framesPerSecond: number
  readonly frameBurst: number
}

/** What one session may take; times in milliseconds. */
export interface SessionLimits extends ChosenLimits {
  readonly connectTimeout: number
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
}

const MIB = 2 ** 20

export function sessionLimits(chosen: ChosenLimits): SessionLimits {
  return {
    connectTimeout: STRANGER.patience,
    subscriptions: 64,
    openTransactions: 16,
    transactionFrames: 1000,
    unacknowledged: 100,
    keptBytes: MIB,
    bufferedBytes: MIB,
    earlyBytes: STRANGER.messageBytes,
    ...chosen,
  }
}

/** Those of a service whose settings say nothing else. */
export const SESSION_LIMITS = sessionLimits({
  heartBeat: 10_000,
  bodyBytes: 65_536,
  framesPerSecond: 100,
  frameBurst: 1000,
})
