/** What serves one port of the container. */
export interface ChannelServer {
  /** @returns the port, also where 0 was asked for */
  listen(host: string, port: number): Promise<number>
  /** Refuses new clients, sends all others away within the time, and ends. */
  drain(milliseconds: number): Promise<void>
}
