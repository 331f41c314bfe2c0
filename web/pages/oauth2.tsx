import { mount } from '../mount.tsx'

function OAuth2Steps() {
  return <p class="empty">Nothing here yet.</p>
}

mount(<OAuth2Steps />)
