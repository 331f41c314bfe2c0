/** Whether a time, in milliseconds since the epoch, lies between this call and that of the function which it gives. */
export function meanwhile(): (time: number) => boolean {
  const from = Date.now()
  return (time) => from <= time && time <= Date.now()
}
