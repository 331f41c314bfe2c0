import { Field } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { fromLocalInput, toLocalInput } from '../ui/times.tsx'
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
    narrow({ range: 'custom', from: fromLocalInput(fields.get('from')), to: fromLocalInput(fields.get('to')) })
    form.closest<HTMLElement>('[popover]')?.hidePopover()
  }

  const time = { type: 'datetime-local', step: 1 } as const
  const localOf = (iso: string) => toLocalInput(new Date(iso), 'seconds')
  return (
    <form class="form" onSubmit={submit}>
      <Field scope="range" label="From" name="from" {...time} value={localOf(from)} required />
      <Field scope="range" label="To; empty for now" name="to" {...time} value={localOf(to)} />
      <button type="submit" class="btn">
        Apply
      </button>
    </form>
  )
}
