import { areKeysOn, toggleKeys } from './keys.ts'

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
export function KeyHelp() {
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
