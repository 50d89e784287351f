/** Emails as lines in seven languages, in words that the rules did not know; see `toCorpus`. */
export const UNUSUAL = `
nothing personal 140 u primary | Karen Mills <karen.mills@post.example> | Can you send me the address again?
nothing personal 300 u primary | Joe <joe@mills.example> | Free this weekend?
notify security 0 u primary | Ledger <no-reply@ledger.example> | We noticed a login from Chrome on Linux
nothing security 70 u updates | Paybox <noreply@paybox.example> | A payee was added to your account
nothing security 210 u updates | Chatter <noreply@chatter.example> | Confirm it's you
nothing doctor 33 r updates | Vision Centre <noreply@vision.example> | See you on Monday at 10:40
nothing school 62 u updates | College Portal <noreply@college.example> | Your exam timetable
nothing bank 100 r updates | Savings First <noreply@savings.example> | Your annual summary is available
receipt receipt 15 r updates | Toy Box <orders@toybox.example> | We received your order 4471
receipt invoice 44 r updates | Host Now <billing@hostnow.example> | Payment receipt for May | 0.1
notify payment 1 u primary | Broadband <billing@broadband.example> | We could not take your payment
clear offer 55 u promotions | Paint Shop <hello@paintshop.example> | New colours are in
clear news 44 u updates | Startup Post <newsletter@startuppost.example> | The week in funding
clear social 95 u social | Photos <notifications@photos.example> | Memories from four years ago
clear code 61 r updates | CI <bot@pipelines.example> | Run failed: main
nothing personal 180 u primary | Gisela Ott <gisela@ott.example> | Kommst du am Sonntag zum Kaffee?
notify security 1 u primary | Postfach <noreply@postfach.example> | Jemand hat versucht, sich anzumelden
nothing security 88 u updates | Wallet <noreply@wallet.example> | Ihre PIN wurde geändert
nothing doctor 50 r updates | Physio am Park <noreply@physio.example> | Bestätigung Ihrer Buchung am 3. Juli
nothing bank 120 u updates | Direktbank <noreply@direktbank.example> | Ihre Umsätze im April
receipt receipt 77 r updates | Gartenhaus <noreply@gartenhaus.example> | Vielen Dank für Ihren Einkauf
clear offer 410 u promotions | Küche & Co <post@kueche.example> | Frühlingsangebote
clear news 33 u updates | Wochenblick <newsletter@wochenblick.example> | Was diese Woche wichtig war
clear social 64 u social | Verbunden <noreply@verbunden.example> | Kennst du diese Personen?
nothing personal 205 u primary | Élodie <elodie@martin.example> | On se voit quand ?
notify security 0 u primary | Coffre <noreply@coffre.example> | Votre code à usage unique
nothing security 150 u updates | Impôts <noreply@impots.example> | Vos identifiants ont changé
nothing doctor 18 u updates | Kiné <noreply@kine.example> | Votre séance de mardi
nothing bank 66 r updates | Courtier <noreply@courtier.example> | Votre avis d'opéré
receipt receipt 20 r updates | Jouets <noreply@jouets.example> | Merci pour votre achat
clear offer 130 u promotions | Vins <cave@vins.example> | Nos coups de cœur
clear news 52 u updates | Quartier <infolettre@quartier.example> | Que faire ce week-end
nothing personal 96 u primary | Andrés <andres@mora.example> | ¿Me llamas luego?
notify security 1 u primary | Correo <no-responder@micorreo.example> | Se ha iniciado sesión en su cuenta
nothing security 99 u updates | Tienda Azul <noreply@tiendaazul.example> | Se ha añadido una tarjeta
nothing school 61 u updates | Universidad <noreply@universidad.example> | Calendario de exámenes
receipt receipt 40 r updates | Juguetes <noreply@juguetes.example> | Gracias por tu compra
clear offer 77 u promotions | Zapatos <hola@zapatos.example> | Nueva colección
clear delivery 45 r updates | Mensajería <noreply@mensajeria.example> | Entrega realizada
nothing personal 122 u primary | Silvia <silvia@costa.example> | Ci sentiamo stasera?
notify security 0 u primary | Posta <noreply@miaposta.example> | Il tuo codice temporaneo
nothing security 81 u updates | Pagamenti <noreply@pagamenti.example> | Nuovo beneficiario aggiunto
nothing doctor 16 r updates | Dentista <noreply@dentista.example> | La aspettiamo lunedì alle 9
receipt receipt 28 r updates | Giocattoli <noreply@giocattoli.example> | Grazie per il tuo acquisto
clear offer 99 u promotions | Scarpe <info@scarpe.example> | Nuovi arrivi
clear news 37 u updates | Settimana <newsletter@settimana.example> | I fatti della settimana
nothing personal 155 u primary | Miguel <miguel@costa.example> | Vens jantar?
notify security 1 u primary | Correio <noreply@meucorreio.example> | Alguém entrou na sua conta
nothing security 77 u updates | Carteira <noreply@carteira.example> | O seu PIN foi alterado
nothing bank 63 r updates | Corretora <noreply@corretora.example> | Nota de corretagem
receipt receipt 35 r updates | Brinquedos <noreply@brinquedos.example> | Obrigado pela sua compra
clear offer 88 u promotions | Sapatos <ola@sapatos.example> | Chegou a nova coleção
nothing personal 133 u primary | Bram <bram@visser.example> | Zin om te fietsen?
notify security 0 u primary | Bank <noreply@mijnbank.example> | Nieuwe aanmelding op uw rekening
nothing security 94 u updates | Winkel <noreply@winkel.example> | Uw e-mailadres is gewijzigd
nothing doctor 22 r updates | Tandarts <noreply@tandarts.example> | Herinnering: uw afspraak op 12 juni
receipt receipt 31 r updates | Speelgoed <noreply@speelgoed.example> | Bedankt voor uw bestelling
clear offer 72 u promotions | Schoenen <hallo@schoenen.example> | Nieuwe collectie
clear news 28 u updates | Week <nieuwsbrief@week.example> | Het beste van deze week
`;
