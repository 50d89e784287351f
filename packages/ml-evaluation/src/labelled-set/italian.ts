/** Emails as lines; see `toCorpus`. */
export const ITALIAN = `
nothing personal 400 u primary | Nonna Pina <pina.greco@posta.example> | Ultima occasione per il ragù
nothing personal 89 u primary | Marco Villa <marco@villa.example> | Biglietti gratis per sabato
nothing personal 225 u primary | Chiara Fontana <chiara.fontana@mail.example> | Offerta per la casa al mare
nothing personal 37 r primary | Gio <gio@sconti.example> | Sconto dal meccanico
nothing personal 69 u primary | Elisa Serra <elisa.serra@uni.example> | Foto della laurea | 15
nothing work 76 u primary | Davide Conti <d.conti@azienda.example> | Promozione di Anna: brindisi?
nothing doctor 13 r updates | Studio Bianchi <noreply@studiobianchi.example> | Promemoria appuntamento del 12 giugno
nothing doctor 118 u primary | Laboratorio <non-rispondere@laboratorio.example> | Il suo referto è disponibile
nothing doctor 82 u updates | Sanità <noreply@sanita.example> | Nuovo documento nel fascicolo sanitario
nothing school 17 u primary | Scuola Manzoni <segreteria@scuola.example> | Gita scolastica: autorizzazione
nothing school 94 u updates | Liceo <noreply@liceo.example> | Pagella disponibile
nothing bank 46 r updates | Banca Valle <noreply@bancavalle.example> | Il suo estratto conto è disponibile
nothing bank 155 u updates | Risparmio <non-rispondere@risparmio.example> | Modifica delle condizioni contrattuali
notify security 0 u primary | Account <no-reply@account.example> | Accesso da un nuovo dispositivo
notify security 1 u primary | Banca Valle <sicurezza@bancavalle.example> | Attività insolita sul suo conto
nothing security 112 u updates | Negozio <noreply@negozio.example> | Il tuo indirizzo email è stato modificato
nothing security 365 u updates | Forum <noreply@forum.example> | Reimposta la password
nothing security 62 r updates | Cinema <info@cinema.example> | Nuovo dispositivo collegato
nothing security 470 u promotions | Giochi <newsletter@giochi.example> | Avviso di sicurezza per il tuo account
nothing phishing 2 u primary | Assistenza <supporto@poste-verifica.example> | Il suo conto è sospeso, confermi i dati
nothing phishing 5 u primary | Corriere <avvisi@pacco-dogana.example> | Pacco in giacenza: paghi 1,80 €
receipt receipt 10 r updates | Bar Centrale <cassa@scontrino.example> | Il tuo scontrino
receipt receipt 240 u updates | Libreria <noreply@libreria.example> | Conferma d'ordine 3391
receipt invoice 34 r primary | Idraulica Neri <info@neri.example> | Fattura n. 51 | 0.2
receipt invoice 88 r updates | Telefono <fatture@telefono.example> | La tua fattura di maggio | 0.1
receipt travel 53 r updates | Treni <noreply@treni.example> | Conferma di prenotazione RT55 | 0.3
notify travel 0 u primary | Aeria <noreply@aeria.example> | Il tuo volo AE 12 è stato cancellato
notify payment 3 u primary | Luce <clienti@luce.example> | Sollecito di pagamento
nothing delivery 0 u updates | Corriere <tracking@corriere.example> | In consegna oggi
clear delivery 57 r updates | Corriere <noreply@corriere.example> | Il tuo pacco è stato consegnato
nothing calendar 41 u updates | Calendario <noreply@calendario.example> | Invito aggiornato: riunione di giugno
nothing calendar 23 r primary | Sara Leone <sara@leone.example> | Accettato: cena da noi
clear code 47 r updates | Luca Riva <notifications@codehost.example> | Re: [bottega/web] Corregge il carrello (#31)
clear list 27 r forums | Cori <cori@lists.musica.example> | [cori] Riassunto settimanale
clear social 73 u social | Rete <notifications@rete.example> | 7 persone hanno visto il tuo profilo
clear news 26 u updates | Il Foglio <newsletter@ilfoglio.example> | Le notizie di oggi
clear news 92 u updates | Circolo <info@circolo.example> | Notizie dal circolo
clear offer 43 u promotions | Mobili <offerte@mobili.example> | Fattura leggera: -25 % su tutto
clear offer 505 u promotions | Moda <ciao@moda.example> | Saldi: ultimi giorni
clear offer 66 u promotions | Viaggi <viaggi@vento.example> | Carta d'imbarco per l'estate: voli da 19 €
`;
