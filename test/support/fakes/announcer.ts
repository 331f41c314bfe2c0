import type { Announcement, DrainableAnnouncer } from '../../../lib/webhooks/live/announcement.ts'

/** Keeps what was announced. */
export function recordingAnnouncer(): DrainableAnnouncer & { readonly told: readonly Announcement[] } {
  const told: Announcement[] = []
  return { told, announce: (announcement) => void told.push(announcement), drained: async () => undefined }
}
