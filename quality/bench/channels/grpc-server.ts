import { emfMetrics } from '../../../lib/adapters/emf/metrics.ts'
import { bearerCheck } from '../../../lib/auth/bearer.ts'
import { createGrpcServer } from '../../../lib/grpc/server.ts'
import { authService } from '../../../lib/grpc/services/auth.ts'
import { systemClock } from '../../../lib/runtime/clock.ts'
import { consoleLog } from '../../../lib/runtime/log.ts'
import { systemTimers } from '../../../lib/runtime/timers.ts'
import { everyAccount } from '../../../test/support/fakes/principals.ts'
import { measureHere } from '../probe.ts'
import { strangers } from './strangers.ts'
import { tokens } from './tokens.ts'

const server = createGrpcServer({
  services: [authService],
  check: bearerCheck(tokens),
  accounts: everyAccount,
  strangers: { connections: strangers('connection'), streams: strangers('stream'), calls: strangers('call') },
  connectionAge: 86_400_000,
  random: () => 0,
  clock: systemClock,
  timers: systemTimers,
  log: consoleLog(systemClock.now),
  metrics: emfMetrics('bench'),
})

measureHere(await server.listen('127.0.0.1', 0))
