import { mount } from '../mount.tsx'
import { OAuthPage } from '../oauth/page.tsx'
import { Sheet } from '../ui/sheet.tsx'

mount(
  <Sheet title="OAuth login">
    <div class="lab">
      <OAuthPage />
    </div>
  </Sheet>,
)
