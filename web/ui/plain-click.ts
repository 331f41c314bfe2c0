/** Whether a click on a link is for this page: not to open a tab, a window or a download, and not the end of a selection. */
export function isPlainClick({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(ctrlKey || metaKey || shiftKey || altKey) && getSelection()?.type !== 'Range'
}
