import { Icon } from './icon.tsx'

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  /** Called with the text when it is entered. */
  readonly search: (text: string) => void
}

/** Searches on Enter. */
export function SearchField({ label, value, search }: SearchFieldProps) {
  return (
    <search class="field grow" aria-label={label}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ currentTarget }) => search(currentTarget.value.trim())}
      />
    </search>
  )
}
