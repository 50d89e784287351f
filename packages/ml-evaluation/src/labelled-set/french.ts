/** Emails as lines; see `toCorpus`. */
export const FRENCH = `
nothing personal 380 u primary | Mamie <suzanne.roy@mail.example> | Dernière chance pour les confitures
nothing personal 92 u primary | Hugo Blanc <hugo@blanc.example> | Places gratuites pour samedi
nothing personal 240 u primary | Sophie Morel <sophie.morel@poste.example> | Vente de la maison : ton avis
nothing personal 40 r primary | Luc <luc@promos.example> | Une offre pour ton vélo
nothing personal 71 u primary | Inès Faure <ines.faure@fac.example> | Vidéos du mariage | 20
nothing work 85 u primary | Paul Girard <p.girard@societe.example> | Solde de tes congés
nothing doctor 14 r updates | Cabinet Martin <noreply@cabinet.example> | Rappel de votre rendez-vous du 11 juin
nothing doctor 120 u primary | Laboratoire Sud <ne-pas-repondre@labo.example> | Vos résultats d'analyses sont disponibles
nothing doctor 77 u updates | Assurance maladie <noreply@sante.example> | Nouveau message dans votre espace
nothing school 22 u primary | École Jules Verne <secretariat@ecole.example> | Sortie scolaire : autorisation à rendre
nothing school 95 u updates | Lycée <noreply@lycee.example> | Bulletin du deuxième trimestre
nothing bank 50 r updates | Banque Ouest <noreply@banqueouest.example> | Votre relevé de compte est disponible
nothing bank 170 u updates | Épargne <nepasrepondre@epargne.example> | Nouveau document dans votre espace client
notify security 0 u primary | Compte <no-reply@comptes.example> | Connexion depuis un nouvel appareil
notify security 2 u primary | Banque Ouest <securite@banqueouest.example> | Activité inhabituelle sur votre compte
nothing security 130 u updates | Boutique <noreply@boutique.example> | Votre adresse e-mail a été modifiée
nothing security 390 u updates | Forum <noreply@forum.example> | Réinitialisation du mot de passe
nothing security 61 r updates | Ciné <info@cine.example> | Nouvel appareil connecté à votre compte
nothing security 450 u promotions | Jeux <infolettre@jeux.example> | Alerte de sécurité : activez la double authentification
nothing phishing 2 u primary | Service client <contact@impots-remboursement.example> | Remboursement en attente, confirmez vos coordonnées
nothing phishing 4 u primary | Livraison <suivi@colis-frais.example> | Votre colis est bloqué : payez 1,95 €
receipt receipt 7 r updates | Café du Port <caisse@ticket.example> | Votre ticket de caisse
receipt receipt 260 u updates | Librairie Lune <noreply@lune.example> | Confirmation de commande n° 5521
receipt invoice 33 r primary | Plomberie Petit <contact@petit.example> | Facture n° 2026-31 | 0.2
receipt invoice 100 r updates | Opérateur <factures@operateur.example> | Votre facture mobile de mai | 0.1
receipt travel 55 r updates | Trains <noreply@trains.example> | Confirmation de votre réservation QX81 | 0.3
notify travel 0 u primary | Air Loire <noreply@airloire.example> | Votre vol AL 310 est annulé
notify payment 3 u primary | Électricité <service@elec.example> | Relance : facture impayée
nothing delivery 0 u updates | Colis <suivi@colis.example> | Livraison prévue aujourd'hui
clear delivery 62 r updates | Colis <noreply@colis.example> | Votre colis a été livré
nothing calendar 45 u updates | Agenda <noreply@agenda.example> | Invitation mise à jour : comité de juin
nothing calendar 25 r primary | Théo Noël <theo@noel.example> | Accepté : dîner chez nous
clear code 48 r updates | Marie Petit <notifications@codehost.example> | Re: [atelier/site] Corrige la page d'accueil (#19)
clear list 28 r forums | Jardin <jardin@lists.asso.example> | [jardin] Résumé de la semaine
clear social 75 u social | Réseau <notifications@reseau.example> | 5 personnes ont vu votre profil
clear news 24 u updates | Le Matin <newsletter@lematin.example> | L'essentiel de ce lundi
clear news 90 u updates | Association <infos@asso.example> | La lettre du printemps
clear offer 44 u promotions | Meubles <offres@meubles.example> | Facture allégée : -30 % ce week-end
clear offer 520 u promotions | Mode <bonjour@mode.example> | Derniers jours de soldes
clear offer 68 u promotions | Voyages <voyages@envol.example> | Votre vol pour 29 € vous attend
`;
