/** Emails as lines in six languages, written after the rules, which were not changed for them; see `toCorpus`. */
export const HELD_OUT = `
nothing security 58 u updates | Vault <noreply@vaultly.example> | Someone tried your recovery question
nothing security 190 r updates | Mail Service <noreply@mailservice.example> | We blocked an app from reading your mail
nothing bank 41 u updates | Broker <alerts@broker.example> | Your order was executed
nothing doctor 37 u updates | Sleep Clinic <noreply@sleepclinic.example> | Your referral has been accepted
nothing school 75 r updates | Swim School <noreply@swim.example> | Change of lesson time from Monday
nothing personal 320 u primary | Nora <nora@finch.example> | Survey of the garden, with photos
nothing delivery 1 u updates | Courier <track@courier.example> | Your parcel is delayed
clear delivery 80 u updates | Courier <noreply@courier.example> | Your parcel was left with a neighbour
clear news 19 u updates | City Guide <news@cityguide.example> | Ten quiet cafés
clear social 34 r social | Circle <noreply@circle.example> | Ben commented on your post
clear offer 450 u promotions | Lamp House <light@lamphouse.example> | Brighten your evenings
receipt receipt 14 r updates | Zoo <tickets@zoo.example> | Your receipt: 2 adults, 1 child
notify travel 0 u primary | Rail <noreply@rail.example> | Your train to Leeds is delayed
nothing security 71 u updates | Tresor <noreply@tresor.example> | Ihr Zugang wurde vorübergehend gesperrt
nothing bank 52 r updates | Leasing <noreply@leasing.example> | Ihre neue Rate ab Juli
nothing doctor 43 u updates | Zahnzentrum <noreply@zahnzentrum.example> | Bitte denken Sie an Ihre Vorsorge
nothing personal 260 u primary | Onkel Willi <willi@stein.example> | Umfrage in der Familie: wer kommt?
clear list 33 r forums | Chor <chor@lists.gesang.example> | [chor] Notenfrage
clear delivery 36 u updates | Versand <noreply@versand.example> | Ihre Sendung wurde zugestellt
clear offer 47 u promotions | Radladen <rad@radladen.example> | Frisch eingetroffen
notify security 0 u primary | Mein Konto <noreply@meinkonto.example> | Dein Passwort wurde zurückgesetzt
nothing security 84 u updates | Portefeuille <noreply@portefeuille.example> | Un retrait a été demandé
nothing doctor 39 r updates | Radiologie <noreply@radio.example> | Préparer votre examen
nothing school 68 u updates | Cantine <noreply@cantine.example> | Inscription à renouveler
clear news 27 u updates | Cinéclub <newsletter@cineclub.example> | Au programme
clear delivery 47 u updates | Transport <noreply@transport.example> | Votre commande a été livrée
receipt receipt 22 r updates | Théâtre <billets@theatre.example> | Confirmation de commande : 2 places
nothing security 92 u updates | Monedero <noreply@monedero.example> | Hemos limitado su acceso
nothing bank 49 r updates | Seguros <noreply@seguros.example> | Renovación de su seguro
nothing personal 170 u primary | Tía Lola <lola@rey.example> | Rebajas en la tienda de tu prima
clear delivery 53 u updates | Paquetería <noreply@paqueteria.example> | Pedido entregado
clear social 41 u social | Amigos <noreply@amigos.example> | Ana ha publicado una foto
nothing security 86 u updates | Portafoglio <noreply@portafoglio.example> | Il PIN è stato sbloccato
nothing doctor 46 u updates | Ospedale <noreply@ospedale.example> | Prepararsi alla visita
clear delivery 51 u updates | Spedizioni <noreply@spedizioni.example> | Il tuo ordine è arrivato
clear offer 59 u promotions | Vini <cantina@vini.example> | La nuova annata
nothing security 73 u updates | Cofre <noreply@cofre.example> | Pedido de transferência recebido
nothing school 64 u updates | Música <noreply@musica.example> | Novo horário das aulas
clear delivery 48 u updates | Transportes <noreply@transportes.example> | Encomenda entregue ao vizinho
clear news 38 u updates | Revista <newsletter@revista.example> | Leituras de domingo
`;
