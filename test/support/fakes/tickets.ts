import type { Ticket, TicketStore } from '../../../lib/auth/live/ticket.ts'

/** Tickets in memory; nothing clears away what is over, as the table may not for a while. */
export class MemoryTickets implements TicketStore {
  readonly kept = new Map<string, Ticket>()

  async put(ticket: Ticket): Promise<void> {
    this.kept.set(ticket.key, ticket)
  }

  async take(key: string): Promise<Ticket | undefined> {
    const ticket = this.kept.get(key)
    this.kept.delete(key)
    return ticket
  }
}
