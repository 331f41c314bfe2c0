import { createGrpcServer } from '../../../lib/grpc/server.ts'
import { systemTimers } from '../../../lib/runtime/async.ts'
import { anonymousFor } from '../../support/fakes/anonymous.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { noKeys } from '../../support/fakes/keys.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { everyAccount, tokenHolder } from '../../support/fakes/principals.ts'
import { recordingTrail } from '../../support/fakes/trail.ts'

type Parts = Parameters<typeof createGrpcServer>[0]

/** A server without services that takes every token for one of a user, unless it is told otherwise. */
export function grpcServer(changes: Partial<Parts> = {}) {
  return createGrpcServer({
    services: [],
    check: () => tokenHolder('ROLE_USER'),
    accounts: everyAccount,
    keys: noKeys,
    anonymous: { connections: anonymousFor(), streams: anonymousFor(), calls: anonymousFor() },
    connectionAge: 86_400_000,
    random: () => 0,
    clock: fixedClock(),
    timers: systemTimers,
    log: recordingLog(),
    metrics: recordingMetrics(),
    trail: recordingTrail(),
    ...changes,
  })
}
