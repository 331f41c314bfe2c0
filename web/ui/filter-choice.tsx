interface FilterChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly choose: (value: string) => void
}

/** A filter with known values; the empty value is "any". */
export function FilterChoice({ label, value, options, choose }: FilterChoiceProps) {
  return (
    <div class="field">
      <select aria-label={label} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">{label}: any</option>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
