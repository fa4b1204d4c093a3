import { Card } from '../../ui/card.tsx'
import { LimitsCard } from '../colour/limits-card.tsx'
import { DeleteAccount } from '../deletion/delete-account.tsx'
import { NewsSettingsCard } from '../news/settings-card.tsx'
import { BoardSwitch } from '../quiz/board-switch.tsx'
import { DataExport } from '../records/data-export.tsx'
import { FiguresSwitch } from '../referrals/figures-switch.tsx'
import { ProfilePage } from '../users/profile-page.tsx'
import { FriendsSwitch } from '../wellness/friends-switch.tsx'
import { YourDay } from '../wellness/your-day.tsx'

/** The profile page, together with the settings of other features. */
export function Profile() {
  return (
    <ProfilePage wide={<LimitsCard />}>
      <YourDay />
      <NewsSettingsCard />
      <Card className="grid gap-4">
        <h2 className="text-xl">Privacy</h2>
        <FiguresSwitch />
        <BoardSwitch />
        <FriendsSwitch />
      </Card>
      <DataExport />
      <DeleteAccount />
    </ProfilePage>
  )
}
