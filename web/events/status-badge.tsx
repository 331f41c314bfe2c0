import { Badge } from '../ui/badge.tsx'
import { eventLook } from './outcome.ts'
import type { EventRecord } from './record.ts'

interface StatusBadgeProps {
  readonly event: Pick<EventRecord, 'status' | 'nextRetryAt' | 'outcome'>
  readonly isSolid?: boolean
}

export function StatusBadge({ event, isSolid = false }: StatusBadgeProps) {
  const { label, tone } = eventLook(event)
  return (
    <Badge tone={tone} isSolid={isSolid}>
      {label}
    </Badge>
  )
}
