import { useSignal } from '@preact/signals'
import { hasView, saveView } from '../side-menu/views.ts'
import { Icon } from '../ui/icon.tsx'
import { Modal } from '../ui/modal.tsx'
import { tell } from '../ui/toast.tsx'
import { place } from './navigation.ts'
import { filterSearch } from './place.ts'

/** Keeps the filter under a name, for the side menu of this browser. */
export function SaveViewButton() {
  const isOpen = useSignal(false)
  const search = filterSearch(place.value.filter)
  if (search === '' || hasView(search)) return null

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim()
    saveView({ name, search })
    tell({ tone: 'ok', title: `View saved: ${name}`, text: 'It is in the side menu of this browser.' })
    isOpen.value = false
  }

  return (
    <>
      <button type="button" class="btn c3" onClick={() => (isOpen.value = true)}>
        <Icon name="save" />
        Save view …
      </button>
      {isOpen.value && (
        <Modal title="Save this view" close={() => (isOpen.value = false)}>
          <form class="form" onSubmit={submit}>
            <label for="view-name">Name</label>
            <div class="field">
              <input id="view-name" name="name" required maxLength={40} pattern=".*\S.*" />
            </div>
            <button type="submit" class="btn main-btn">
              Save
            </button>
          </form>
        </Modal>
      )}
    </>
  )
}
