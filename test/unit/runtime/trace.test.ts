import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { consoleLog } from '../../../lib/runtime/log.ts'
import {
  callerTraceIdIn,
  correlated,
  correlateEvent,
  correlation,
  eventTraceId,
  spanIdOf,
  traceparentOf,
} from '../../../lib/runtime/trace.ts'
import { anyText } from '../../support/any-text.ts'
import { START } from '../../support/fakes/clock.ts'

const EVENT = { source: 'stripe', eventId: 'evt_1' }
const OTHER = { source: 'stripe', eventId: 'evt_2' }

const lines: string[] = []
const log = consoleLog(
  () => START,
  (line) => lines.push(line),
)
const lastLine = () => JSON.parse(lines.at(-1) ?? '')

afterEach(() => vi.unstubAllEnvs())

describe('the trace of an event', () => {
  it('has an id that the command of docs/operations.md computes from its source and its id', () => {
    const printed = execFileSync('sh', ['-c', "printf %s 'stripe/evt_1' | sha256sum | cut -c-32"], { encoding: 'utf8' })
    expect(eventTraceId(EVENT)).toBe(printed.trim())
    expect(eventTraceId(OTHER)).not.toBe(eventTraceId(EVENT))
  })

  it('has a traceparent as in W3C Trace Context, for any id of the event', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (eventId, owner) => {
        const header = traceparentOf({ source: 'stripe', eventId }, spanIdOf(owner))
        expect(header).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
        expect(callerTraceIdIn(header)).toBe(eventTraceId({ source: 'stripe', eventId }))
      }),
    )
  })
})

it.each([
  undefined,
  '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n',
])('a caller with %j has no trace', (header) => {
  expect(callerTraceIdIn(header)).toBeUndefined()
})

describe('a line of the log', () => {
  it('has the trace of its call until the event is known, and that of the event from then on', () => {
    vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0')
    correlated({ requestId: 'r-1' }, () => {
      log.info('early')
      expect(lastLine()).toMatchObject({ requestId: 'r-1', traceId: '5759e988bd862e3fe1be46a994272793' })
      correlateEvent(EVENT)
      log.info('late')
      expect(lastLine()).toMatchObject({ requestId: 'r-1', ...EVENT, traceId: eventTraceId(EVENT) })
    })
  })

  it('has a trace without X-Ray as well: the same for one call, another for the next', () => {
    const traceOf = (requestId: string) => correlated({ requestId }, () => correlation().traceId)
    expect(traceOf('r-1')).toMatch(/^[0-9a-f]{32}$/)
    expect(traceOf('r-1')).toBe(traceOf('r-1'))
    expect(traceOf('r-2')).not.toBe(traceOf('r-1'))
  })

  it('about another event than that of the present work has the trace of that event', () => {
    correlated({ requestId: 'r-1' }, () => {
      correlateEvent(EVENT)
      log.info('woken by the scan', OTHER)
      expect(lastLine()).toMatchObject({ ...OTHER, traceId: eventTraceId(OTHER) })
      log.info('next')
      expect(lastLine()).toMatchObject({ ...EVENT, traceId: eventTraceId(EVENT) })
    })
  })

  it('keeps the event of one message in a batch out of the lines of the next', async () => {
    const message = (messageId: string, event: typeof EVENT) =>
      correlated({ messageId }, async () => {
        correlateEvent(event)
        await Promise.resolve()
        return correlation()
      })
    expect(await Promise.all([message('m-1', EVENT), message('m-2', OTHER)])).toEqual([
      { messageId: 'm-1', ...EVENT, traceId: eventTraceId(EVENT) },
      { messageId: 'm-2', ...OTHER, traceId: eventTraceId(OTHER) },
    ])
  })

  it('outside of any work, as at a start, names the process: all of them the same', () => {
    log.info('secret read again')
    const { instance } = lastLine()
    expect(instance).toMatch(/^[0-9a-f-]{36}$/)
    log.info('woken by the scan', EVENT)
    expect(lastLine()).toMatchObject({ instance, traceId: eventTraceId(EVENT) })
  })
})
