/** Emails as lines; see `toCorpus`. */
export const GERMAN = `
nothing personal 420 u primary | Birgit Hahn <birgit.hahn@post.example> | Letzte Chance auf Omas Schrank
nothing personal 88 u primary | Lukas <lukas@wagner.example> | Gratis Karten fürs Konzert
nothing personal 35 r primary | Petra Scholz <petra@angebote.example> | Angebot für deinen Umzug
nothing personal 250 u primary | Papa <h.krause@mail.example> | Rabatt beim Autohaus, ruf mich an
large personal 266 u primary | Nina Vogt <nina.vogt@uni.example> | Fotos vom Sommerfest | 16
nothing work 73 u primary | Frank Busch <f.busch@betrieb.example> | Aktion am Samstag: wer hilft?
nothing doctor 20 r updates | Praxis Dr. Lang <noreply@praxis-lang.example> | Terminerinnerung: 12. Juni, 8:15 Uhr
nothing doctor 130 u primary | Labor Nord <no-reply@labor.example> | Ihr Befund liegt vor
nothing doctor 70 u updates | Krankenkasse <nicht-antworten@kasse.example> | Neue Nachricht in Ihrem Postfach
nothing school 16 u primary | Goethe-Gymnasium <sekretariat@gymnasium.example> | Klassenfahrt: Einverständnis bis Freitag
nothing school 90 u updates | Kita-App <noreply@kita.example> | Schließtage im Sommer
nothing bank 45 r updates | Volksbank <noreply@volksbank.example> | Ihr Kontoauszug ist da
nothing bank 160 u updates | Depot <service@depot.example> | Neue Dokumente in Ihrem Postfach
nothing bank 75 u primary | Bausparkasse <noreply@bauspar.example> | Änderung unserer Bedingungen zum 1. August
notify security 0 u primary | Konto <no-reply@konten.example> | Anmeldung von einem neuen Gerät
notify security 1 u primary | Sparbank <sicherheit@sparbank.example> | Ungewöhnliche Aktivität in Ihrem Konto
nothing security 110 u updates | Laden24 <noreply@laden24.example> | Ihre E-Mail-Adresse wurde geändert
nothing security 380 u updates | Forum <noreply@forum.example> | Setzen Sie Ihr Kennwort zurück
nothing security 64 r updates | Streamo <info@streamo.example> | Neues Gerät angemeldet
nothing security 500 u promotions | Spielwelt <newsletter@spielwelt.example> | Wichtiger Sicherheitshinweis zu deinem Konto
nothing phishing 2 u primary | Kundenservice <service@sparkasse-sicher.example> | Ihr Konto wird gesperrt, jetzt bestätigen
nothing phishing 5 u primary | Zoll <zoll@paket-gebuehr.example> | Ihr Paket wartet: 1,99 € Gebühr offen
receipt receipt 8 r updates | Bäckerei Blum <kasse@bon.example> | Ihr Kassenbon vom 25. Mai
receipt receipt 210 u updates | Buchhaus <noreply@buchhaus.example> | Bestellbestätigung Nr. 88121
receipt invoice 30 r primary | Malerbetrieb Roth <info@maler-roth.example> | Rechnung 26-119 | 0.3
receipt invoice 90 r updates | Mobilfunk <rechnung@mobil.example> | Ihre Mobilfunkrechnung Mai | 0.1
receipt travel 60 r updates | Bahn <buchung@bahn.example> | Ihre Buchungsbestätigung, Auftrag XK92 | 0.2
notify travel 0 u primary | Luftig <noreply@luftig.example> | Ihr Flug LG 88 wurde annulliert
notify payment 3 u primary | Fitness Eck <buchhaltung@fitness-eck.example> | 2. Mahnung zu Ihrer Mitgliedschaft
nothing delivery 0 u updates | Paketdienst <sendung@paket.example> | Ihr Paket kommt heute
clear delivery 50 r updates | Paketdienst <noreply@paket.example> | Ihr Paket wurde zugestellt
nothing calendar 40 u updates | Kalender <noreply@kalender.example> | Aktualisierte Einladung: Quartalsplanung
nothing calendar 18 r primary | Eva Kern <eva@kern.example> | Zugesagt: Geburtstagsessen
clear code 45 r updates | Jan Petersen <notifications@codehost.example> | Re: [werk/app] Absturz beim Start (#77)
clear list 30 r forums | Imker <imker@lists.verein.example> | [imker] Zusammenfassung Band 12
clear social 70 u social | Netzwerk <benachrichtigung@netz.example> | Du hast 4 neue Besucher
clear news 22 u updates | Stadtblatt <rundbrief@stadtblatt.example> | Das war der Mai in der Stadt
clear news 90 u updates | Verein <info@turnverein.example> | Vereinsnachrichten Frühling
clear offer 40 u promotions | Möbel Nord <angebote@moebel.example> | Rechnung? Erst in 100 Tagen zahlen!
clear offer 500 u promotions | Mode Eck <newsletter@modeeck.example> | Nur noch heute: 30 % auf Kleider
clear offer 65 u promotions | Apotheke <service@apo.example> | Ihr Arzt rät: jetzt impfen, 10 % Rabatt
`;
