import type { destinationList, destinationTest } from '../../lib/contract/answers/deliveries.ts'
import { ask, type Response, useAnswer } from '../ask.ts'
import { mount } from '../mount.tsx'
import { Action, BusyButton } from '../ui/action.tsx'
import { type Look, LookBadge } from '../ui/badge.tsx'
import { Field, textIn } from '../ui/dialog.tsx'
import { listPage } from '../ui/list-page.tsx'
import { timeColumn } from '../ui/list-table.tsx'
import { Part } from '../ui/pane.tsx'
import { asForeign, Facts, Tall } from '../ui/text.tsx'
import { duration, LiveTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'

type Destination = Response<typeof destinationList>['destinations'][number]

interface State extends Look {
  /** What it means for deliveries. */
  readonly meaning: string
}

const HEALTHY: State = { label: 'Healthy', tone: 'ok', meaning: 'Deliveries go out as events arrive.' }
const FAILING: State = {
  label: 'Failing',
  tone: 'wait',
  meaning: 'The last deliveries failed. They are tried again with growing pauses.',
}
const BROKEN: State = {
  label: 'Broken',
  tone: 'bad',
  meaning: 'It failed again and again. One delivery a minute tries it; the others wait.',
}
const DISABLED: State = {
  label: 'Disabled',
  tone: 'note',
  icon: 'pause',
  meaning: 'No delivery goes out. Later events wait until the destination is enabled.',
}
const BY_SEVERITY = [BROKEN, FAILING, DISABLED, HEALTHY]

const KINDS: Readonly<Record<Destination['to'], string>> = {
  http: 'HTTPS',
  sqs: 'SQS queue',
  eventbridge: 'event bus',
  handler: 'handler',
}

mount(
  listPage<Response<typeof destinationList>, Destination>({
    title: 'Destinations',
    caption: 'Destinations, broken ones first',
    path: '/api/destinations',
    rowsOf: ({ destinations }) =>
      destinations.toSorted((one, other) => severityOf(one) - severityOf(other) || one.name.localeCompare(other.name)),
    keyOf: ({ name }) => name,
    columns: [
      { head: 'State', cell: (destination) => <LookBadge look={stateOf(destination)} isSolid /> },
      {
        head: 'Destination',
        class: 'fill',
        cell: ({ name, to, target }) => (
          <Tall
            first={
              <>
                <b>{name}</b> <span class="muted">{KINDS[to]}</span>
              </>
            }
            second={target}
          />
        ),
      },
      {
        head: 'Failed with',
        class: 'c2',
        // Successes are not in this list.
        cell: ({ failures, state, lastAnswer }) => (failures > 0 || state === 'OPEN') && lastAnswer?.text,
      },
      timeColumn('Oldest waiting', 'end c3', ({ oldestAt }) => oldestAt),
      { head: 'Waiting', class: 'end num', cell: ({ waiting }) => waiting.toLocaleString('en') },
    ],
    isTall: true,
    empty: (
      <>
        No destination is configured. Add one to <code>gatehouse.config.ts</code>: events then go to your own code, an
        HTTPS address, a queue or an event bus.
      </>
    ),
    foot: 'Destinations are configured in gatehouse.config.ts and change with a deployment.',
    pane: (destination, { reread }) => ({
      title: destination.name,
      look: stateOf(destination),
      note: `${KINDS[destination.to]} · ${destination.target}`,
      children: <Details destination={destination} reread={reread} />,
    }),
  }),
)

function stateOf({ state, failures }: Destination): State {
  if (state === 'OPEN') return BROKEN
  if (state === 'DISABLED') return DISABLED
  return failures > 0 ? FAILING : HEALTHY
}

function severityOf(destination: Destination): number {
  return BY_SEVERITY.indexOf(stateOf(destination))
}

function pathOf(name: string): string {
  return `/api/destinations/${encodeURIComponent(name)}`
}

interface DetailsProps {
  readonly destination: Destination
  readonly reread: () => Promise<void>
}

function Details({ destination, reread }: DetailsProps) {
  const { name, waiting, oldestAt, failures, since, reason, by } = destination
  const { answer } = useAnswer<Response<typeof destinationList>>(`/api/destinations?name=${encodeURIComponent(name)}`)
  const { lastDeliveredAt, lastAnswer, day } = answer.value?.destinations[0] ?? destination
  const { label, tone, meaning } = stateOf(destination)
  return (
    <>
      <div class="note" data-tone={tone}>
        <p>{meaning}</p>
        {reason !== null && <p class="small wrap">{asForeign(by === null ? reason : `${by}: ${reason}`)}</p>}
      </div>
      <div class="row flow">
        <TestButton name={name} done={reread} />
        <Switch destination={destination} reread={reread} />
        <a class="btn" href={`/console/deliveries?${new URLSearchParams({ destination: name, state: 'DEAD' })}`}>
          Deliveries
        </a>
      </div>
      <Part title="Deliveries">
        <Facts
          rows={{
            Waiting: waiting.toLocaleString('en'),
            Oldest: oldestAt && <LiveTime at={oldestAt} />,
            'Failures in a row': failures,
            'Last answer': lastAnswer && <code>{lastAnswer.text}</code>,
            Answered: lastAnswer && <LiveTime at={lastAnswer.at} />,
            'Last delivered': lastDeliveredAt && <LiveTime at={lastDeliveredAt} />,
            ...(day && dayFacts(day)),
            [`${label} since`]: since && <LiveTime at={since} />,
          }}
        />
      </Part>
    </>
  )
}

/** Of 24 hours. */
function dayFacts({ delivered, failed, successRate, p50Ms, p95Ms, complete }: NonNullable<Destination['day']>) {
  return {
    'In a day': `${delivered} delivered, ${failed} failed${complete ? '' : ' among the newest events'}`,
    'Success rate': successRate !== null && `${(100 * successRate).toFixed(1)} %`,
    'Attempts took': p50Ms !== null && p95Ms !== null && `${duration(p50Ms)} (median), ${duration(p95Ms)} (95 %)`,
  }
}

/** Disables a destination, or enables it again; both ask for a reason. */
function Switch({ destination: { name, state }, reread }: DetailsProps) {
  const isOff = state === 'DISABLED'
  const verb = isOff ? 'Enable' : 'Disable'
  const order = verb.toLowerCase()

  function change(fields: FormData): Promise<unknown> {
    const reason = textIn(fields, 'reason')
    return ask(`${pathOf(name)}/${order}`, { method: 'POST', body: reason === '' ? {} : { reason } })
  }

  return (
    <Action
      key={order}
      label={verb}
      icon={isOff ? 'play' : 'pause'}
      title={`${verb} ${name}?`}
      action={verb}
      run={change}
      said={`${name} is ${order}d`}
      done={reread}
    >
      <p class="small muted">
        {isOff
          ? 'Deliveries that wait go out at once.'
          : 'No delivery goes out until the destination is enabled. None is lost.'}
      </p>
      <Field label="Reason (optional)" name="reason" maxLength={256} />
    </Action>
  )
}

/** Sends a test event, and says what came back. */
function TestButton({ name, done }: { readonly name: string; readonly done: () => Promise<void> }) {
  async function test(): Promise<void> {
    const { delivered, answer, durationMs } = await ask<Response<typeof destinationTest>>(`${pathOf(name)}/test`, {
      method: 'POST',
    })
    tell({
      tone: delivered ? 'ok' : 'bad',
      title: delivered ? `${name} took the test event` : `${name} did not take the test event`,
      text: `${answer} after ${durationMs} ms`,
    })
    await done()
  }

  return (
    <BusyButton icon="send" class="main-btn" run={test}>
      Send a test event
    </BusyButton>
  )
}
