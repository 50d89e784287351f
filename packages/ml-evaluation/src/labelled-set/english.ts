/** Emails as lines; see `toCorpus`. */
export const ENGLISH = `
nothing personal 410 u primary | Megan Price <megan.price@mail.example> | Last chance to see the flat before we sell it
nothing personal 95 u primary | Uncle Rob <rob.hale@post.example> | Free tickets for Saturday, want them?
nothing personal 230 u primary | Priya Nair <priya@nair.example> | Sale of the car: what do you think of 40% less?
nothing personal 33 r primary | Dan <dan@offers.example> | Our deal from last night
nothing personal 780 u primary | Grandpa <walter.young@mail.example> | Newsletter from the allotment, written by me
large personal 264 u primary | Ella Brooks <ella.brooks@uni.example> | Draft of my thesis | 12
nothing work 70 u primary | Sam Carter <sam.carter@works.example> | Offer letter and start date | 0.3
nothing doctor 150 u primary | Hill Road Surgery <no-reply@surgery.example> | Your blood test results are ready
nothing doctor 12 r updates | Bright Dental <reminders@dental.example> | Reminder: your appointment on 14 June at 9:20
nothing doctor 45 u updates | City Hospital <noreply@hospital.example> | Letter from your consultant
nothing school 21 u primary | Oak Primary School <office@oakschool.example> | Parents' evening: book your slot
nothing school 80 u updates | ParentPost <noreply@parentpost.example> | Report card for Lily is available
nothing bank 40 r updates | First Bank <no-reply@firstbank.example> | Your statement for April is ready
nothing bank 200 u updates | First Bank <alerts@firstbank.example> | Your new card is on its way
nothing bank 90 u primary | Mortgage Desk <noreply@lender.example> | Your interest rate changes on 1 August
notify security 0 u primary | Mailbox <no-reply@accounts.mailbox.example> | Did you just sign in from a new device?
notify security 1 u updates | Pass Keeper <noreply@passkeeper.example> | New device added to your vault
nothing security 100 u updates | Shop World <noreply@shopworld.example> | Your email address was changed
nothing security 400 u promotions | Game Hub <newsletter@gamehub.example> | Security alert: turn on two-step verification
nothing security 180 u updates | Cloud Nine <updates@cloudnine.example> | Important: a data breach affects your account
nothing security 30 r updates | Code Host <noreply@codehost.example> | [Code Host] A personal access token was created
nothing phishing 3 u primary | Paypail Service <service@pay-pail-secure.example> | Your account is limited: act now!!!
nothing phishing 1 u primary | IT Helpdesk <helpdesk@mail-admin.example> | Mailbox full, confirm your details today
receipt receipt 5 r updates | Corner Coffee <receipts@pos.example> | Thanks for your purchase at Corner Coffee
receipt receipt 300 u updates | App Store <no_reply@email.appstore.example> | Your receipt from the App Store
receipt invoice 35 r primary | Ann Lee Design <ann@leedesign.example> | Invoice 2026-014 for the logo | 0.2
receipt travel 50 r updates | Sky Air <noreply@skyair.example> | Your booking confirmation and e-ticket | 0.4
notify travel 0 u primary | Sky Air <noreply@skyair.example> | Your flight SA 220 has been cancelled
notify payment 2 u primary | Water Company <billing@water.example> | Final reminder: your bill is overdue
nothing delivery 0 u updates | Parcel Co <tracking@parcel.example> | Arriving today before 6 pm
clear delivery 60 r updates | Parcel Co <no-reply@parcel.example> | Delivered: your package
nothing calendar 20 r primary | Olga Reyes <olga@works.example> | Updated invitation: Project kick-off @ Tue 10am
nothing calendar 120 u updates | Calendar <calendar-notification@cal.example> | Canceled event: Yoga with Kim
clear code 40 r updates | Ben Ito <notifications@codehost.example> | Re: [acme/web] Fix flaky login test (PR #412)
clear code 90 u forums | Dependency Bot <bot@codehost.example> | Bump lodash from 4.17.20 to 4.17.21
clear list 25 r forums | Birding <birding@lists.nature.example> | [birding] Digest, Vol 88, Issue 3
clear social 50 u social | Ring <notifications@ring.example> | You appeared in 9 searches this week
clear news 30 u updates | Money Letter <newsletter@moneyletter.example> | Why your bank account needs a security check-up
clear news 12 u promotions | Travel Ideas <hello@travelideas.example> | Your flight to the sun is waiting
clear offer 120 u promotions | Sports Den <sports@sportsden.example> | Invoice us later: buy now, pay in July
clear offer 700 u promotions | Home & Co <offers@homeandco.example> | Your order is not complete: 15% off
clear offer 40 u promotions | Pharmacy Plus <info@pharmacyplus.example> | Doctor recommended: vitamins half price
`;
