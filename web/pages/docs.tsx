import { render } from 'preact'
import { OPERATIONS_ID, type TriedOperation } from '../../lib/contract/console.ts'
import { TryButton } from '../reference/try-button.tsx'
import { fillSideMenu } from '../side-menu/menu.tsx'

const operations: readonly TriedOperation[] = JSON.parse(document.getElementById(OPERATIONS_ID)?.textContent ?? '[]')

fillSideMenu()
for (const operation of operations) {
  const place = document.querySelector(`[data-try="${operation.id}"]`)
  if (place) render(<TryButton operation={operation} />, place)
}
