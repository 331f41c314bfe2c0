interface SinceFieldProps {
  /** A date-time in UTC without its zone, as the API has it; may be empty. */
  readonly value: string
  readonly change: (value: string) => void
}

/** When the list begins, in the viewer's zone. */
export function SinceField({ value, change }: SinceFieldProps) {
  return (
    <div class="field">
      <label for="since" class="small muted">
        Since
      </label>
      <input
        id="since"
        type="datetime-local"
        value={value === '' ? '' : toLocal(new Date(`${value}Z`))}
        onChange={({ currentTarget }) =>
          change(currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString().slice(0, 19))
        }
      />
    </div>
  )
}

/** In the form of `datetime-local`. */
function toLocal(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
