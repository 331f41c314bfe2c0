import { Icon } from '../ui/icon.tsx'
import { narrow, place } from './navigation.tsx'
import { boundsOf, RANGES, type RangeName, rangeLabel } from './place.ts'

const MENU_ID = 'ranges'

/** Chooses the range of time: one that ends now, or given times. */
export function TimeRangeMenu() {
  const { filter } = place.value
  return (
    <>
      <button type="button" class="btn range" popovertarget={MENU_ID} aria-label={`Time range: ${rangeLabel(filter)}`}>
        <Icon name="cal" />
        {rangeLabel(filter)}
        <Icon name="down" />
      </button>
      <div id={MENU_ID} class="drop" popover="auto">
        <ul>
          {Object.entries(RANGES).map(([name, { label }]) => (
            <li key={name}>
              <button
                type="button"
                class="btn bare"
                aria-pressed={filter.range === name}
                popovertarget={MENU_ID}
                onClick={() => narrow({ range: name as RangeName, from: '', to: '' })}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
        <CustomRange />
      </div>
    </>
  )
}

function CustomRange() {
  const { from, to } = boundsOf(place.value.filter, new Date())

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const fields = new FormData(form)
    narrow({ range: 'custom', from: utcOf(fields.get('from')), to: utcOf(fields.get('to')) })
    form.closest<HTMLElement>('[popover]')?.hidePopover()
  }

  return (
    <form class="form" onSubmit={submit}>
      <label for="range-from">From</label>
      <div class="field">
        <input id="range-from" name="from" type="datetime-local" step="1" value={localOf(from)} required />
      </div>
      <label for="range-to">To; empty for now</label>
      <div class="field">
        <input id="range-to" name="to" type="datetime-local" step="1" value={localOf(to)} />
      </div>
      <button type="submit" class="btn">
        Apply
      </button>
    </form>
  )
}

/** A time in the zone of the viewer, as a field has it. */
function localOf(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

function utcOf(local: FormDataEntryValue | null): string {
  return local ? new Date(String(local)).toISOString() : ''
}
