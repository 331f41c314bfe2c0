import { Modal } from '../ui/dialog.tsx'
import { LocalLink } from '../ui/links.tsx'
import { positionText } from './event-table.tsx'
import { areKeysOn, isHelpOpen, toggleKeys } from './keys.ts'
import { go, place, placeAddress } from './navigation.ts'
import type { PageAddress } from './place.ts'
import { list } from './reading.ts'

/** Where in the list one is, the keys, and the way to older events. */
export function ListFoot() {
  const { filter, cursor, tab } = place.value
  const { nextCursor = null, events = [], from = '', before = 0 } = list.value ?? {}
  const older = { ...filter, from: filter.range === 'custom' ? filter.from : from }
  const newest = filter.range === 'custom' ? filter : { ...filter, from: '' }
  return (
    <footer class="foot num">
      <span>{list.value && positionText(list.value)}</span>
      <KeyLine />
      <span class="push row">
        {cursor !== undefined && <PageLink label="Newest" to={{ filter: newest, open: undefined, tab }} before={0} />}
        {nextCursor !== null && (
          <PageLink
            label="Older"
            to={{ filter: older, cursor: nextCursor, open: undefined, tab }}
            before={before + events.length}
          />
        )}
      </span>
    </footer>
  )
}

interface PageLinkProps {
  readonly label: string
  readonly to: PageAddress
  readonly before: number
}

function PageLink({ label, to, before }: PageLinkProps) {
  function follow(): void {
    go(to, before)
    document.querySelector('.rows')?.scrollTo(0, 0)
  }

  return (
    <LocalLink address={placeAddress(to)} follow={follow}>
      {label}
    </LocalLink>
  )
}

function KeyLine() {
  return (
    <span class="row wide-only">
      <span class="c2">
        <kbd>j</kbd> <kbd>k</kbd> move
      </span>
      <span class="c3">
        <kbd>Enter</kbd> open
      </span>
      <span class="c3">
        <kbd>r</kbd> retry
      </span>
      <button type="button" class="link" onClick={() => (isHelpOpen.value = true)}>
        <kbd>?</kbd> all keys
      </button>
      {isHelpOpen.value && (
        <Modal title="Keys" close={() => (isHelpOpen.value = false)}>
          <KeyHelp />
        </Modal>
      )}
    </span>
  )
}

const KEYS = [
  ['/', 'Search'],
  ['j', 'Next event; opens it if one is open'],
  ['k', 'Previous event; opens it if one is open'],
  ['Enter', 'Open the event that has the focus'],
  ['r', 'Retry the event that is open or has the focus, if it failed'],
  ['Esc', 'Close'],
  ['?', 'Show the keys'],
] as const

/** The keys of the page, and the switch that turns them off. */
function KeyHelp() {
  return (
    <div class="stack">
      <dl class="facts">
        {KEYS.map(([key, meaning]) => (
          <div class="pair" key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={areKeysOn} onChange={toggleKeys} /> Use single keys
      </label>
    </div>
  )
}
