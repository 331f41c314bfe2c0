import { isLocal } from '../facts.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Empty } from '../ui/layout.tsx'
import { Problem } from '../ui/text.tsx'
import { narrow, place } from './navigation.tsx'
import { isNarrow, RANGES, rangeLabel, USUAL_RANGE } from './place.ts'
import { list, trouble } from './reading.ts'
import { clearFilter } from './search.tsx'
import { TestEventButton } from './test-events.tsx'

const COMMAND = 'npx gatehouse send stripe payment_intent.succeeded'

/** Why there is no row, and what to do. */
export function EmptyList() {
  const { filter } = place.value
  if (!list.value) return trouble.value === undefined ? null : <Unreadable problem={trouble.value} />
  if (list.value.events.length > 0) return null
  if (list.value.nextCursor !== null)
    return (
      <Empty title="None among the newest events">
        <p class="muted">Older events were not searched. “Older” continues.</p>
      </Empty>
    )
  if (isNarrow(filter))
    return (
      <Empty title="No event matches">
        <p class="muted">{rangeLabel(filter)}. Another range or fewer filters may find some.</p>
        <p class="row flow">
          <Button class="main-btn" onClick={clearFilter}>
            Clear filters
          </Button>
          <WiderButton />
        </p>
      </Empty>
    )
  return <NoEvent />
}

function NoEvent() {
  const { filter } = place.value
  return (
    <Empty title={`No event: ${rangeLabel(filter).toLowerCase()}`}>
      <p class="muted">Webhooks that arrive are shown here at once.</p>
      <p class="row flow">
        <TestEventButton isMain />
        <WiderButton />
      </p>
      {isLocal && (
        <p class="row flow">
          <code>{COMMAND}</code>
          <CopyButton text={COMMAND} of="the command" />
        </p>
      )}
    </Empty>
  )
}

function WiderButton() {
  if (place.value.filter.range === '30d') return null
  return (
    <Button onClick={() => narrow({ range: '30d', from: '', to: '' })}>Show {RANGES['30d'].label.toLowerCase()}</Button>
  )
}

/** Bad filters can only come with an address. */
function Unreadable({ problem }: { readonly problem: string }) {
  return (
    <Empty title="The events cannot be read">
      <Problem class="wrap" text={problem} />
      <a class="btn" href={location.pathname}>
        Show the last {RANGES[USUAL_RANGE].label.slice(5)} without a filter
      </a>
    </Empty>
  )
}
