"""Every threat that is reckoned with, and the tests that show it is met, by file and name; a test holds the names."""

THREATS: dict[str, tuple[str, ...]] = {
    "a foreign page opens a socket (Origin), or another name leads here (Host)": (
        "twoseat_server/test_strictness.py::test_a_foreign_page_may_not_open_a_socket",
        "twoseat_server/test_strictness.py::test_the_servers_own_page_and_a_program_may",
        "twoseat_server/test_pages.py::test_an_unknown_host_is_refused_on_every_path",
    ),
    "a token is read where it should not be: log, store, monitor, URL, page, argv": (
        "twoseat_server/test_process.py::test_the_log_of_whole_games_tells_no_token_seed_nonce_or_deck",
        "twoseat_server/test_process.py::test_a_traceback_in_the_log_shows_no_values",
        "security/test_planted.py::test_a_hostile_evening_leaves_no_secret_and_no_foreign_text_anywhere",
        "security/test_planted.py::test_no_command_takes_a_token_and_no_page_keeps_a_cookie",
        "twoseat_client/test_tokens.py::test_a_claim_never_shows_its_token",
    ),
    "somebody guesses a code, or a token": (
        "twoseat_server/test_meeting.py::test_codes_cannot_be_guessed_for_long",
        "twoseat_server/test_strictness.py::test_a_token_never_seen_is_a_new_player",
        "security/test_planted.py::test_a_token_is_looked_up_by_its_hash_alone",
    ),
    "somebody acts for the other seat": (
        "twoseat/test_wire_parse.py::test_a_move_cannot_name_what_only_the_server_knows",
        "twoseat/test_wire_parse.py::test_a_further_part_is_malformed_and_not_even_its_name_comes_back",
    ),
    "a session is replayed": (
        "twoseat_server/test_seats.py::test_a_move_that_is_sent_twice_is_done_once",
        "twoseat/test_match_laws_6_to_8.py::test_law_7_a_move_sent_again_is_done_once",
    ),
    "two tabs, on two nodes, both play": (
        "twoseat_server/test_two_nodes.py::test_a_second_socket_on_another_node_takes_the_seat_over",
        "simulation/test_simulation.py::test_a_planted_mistake_is_found",
    ),
    "a hidden card, objective or place in the deck is seen": (
        "twoseat/test_war_seen.py::test_non_interference_hidden_data_never_changes_a_view",
        "security/test_hidden.py::test_a_thousand_captured_matches_show_no_hidden_card",
        "e2e/test_secrecy.py::test_a_planted_leak_is_found",
        "e2e/test_secrecy.py::test_an_honest_game_of_war_online_leaks_nothing_and_planted_secrets_are_found",
    ),
    "chance is foreseen, or chosen": (
        "fairness/test_secrecy.py::test_neither_rules_nor_server_know_a_generator_whose_state_could_be_guessed",
        "fairness/test_secrecy.py::test_no_message_before_the_end_holds_four_bytes_of_seed_key_or_stream",
        "fairness/test_secrecy.py::test_the_next_game_of_a_series_tells_nothing_of_the_last_one_s_seed",
    ),
    "a message is huge, deep, or none": (
        "twoseat/test_wire_parse.py::test_what_is_larger_than_a_message_may_be_is_too_large",
        "twoseat/test_wire_parse.py::test_any_text_at_all_is_malformed_and_raises_nothing_else",
        "twoseat_server/test_strictness.py::test_whatever_is_malformed_gets_one_typed_answer_and_changes_nothing",
        "twoseat_server/test_strictness.py::test_a_message_beyond_all_bounds_closes_the_socket_and_the_game_goes_on",
        "twoseat_server/test_transport.py::test_a_message_too_large_closes_with_1009",
    ),
    "a flood of messages": (
        "twoseat_server/test_strictness.py::test_a_flood_is_warned_then_closed_and_the_others_play_on",
        "twoseat_server/test_strictness.py::test_accepted_moves_cost_nothing_of_the_rate",
    ),
    "a connection is kept for nothing: slowloris, silence, half frames, pings, reading nothing": (
        "twoseat_server/test_transport.py::test_whoever_keeps_a_connection_for_nothing_is_sent_away",
        "twoseat_server/test_transport.py::test_who_does_not_read_is_not_read_from",
        "twoseat_server/test_strictness.py::test_a_silent_socket_is_closed",
        "security/test_planted.py::test_whoever_keeps_a_connection_for_nothing_is_gone_within_six_seconds",
    ),
    "a flood of connections": (
        "twoseat_server/test_strictness.py::TestArrivals::test_an_address_that_comes_too_often_is_not_greeted_and_others_are",
        "twoseat_server/test_strictness.py::TestArrivals::test_who_is_on_this_machine_comes_as_often_as_she_likes",
        "twoseat_server/test_strictness.py::TestFull::test_a_full_server_says_so_and_has_room_again",
    ),
    "compression bombs": (
        "security/test_planted.py::test_a_hostile_evening_leaves_no_secret_and_no_foreign_text_anywhere",
    ),
    "a name that deceives": (
        "twoseat_server/test_names.py::test_what_cannot_be_shown_honestly_is_refused_in_words",
        "twoseat_server/test_names.py::test_a_name_that_looks_like_the_one_across_gets_a_number",
        "twoseat_server/test_strictness.py::test_a_name_that_cannot_be_shown_is_answered_and_replaced",
    ),
    "script in text (XSS)": (
        "security/test_planted.py::test_the_page_never_makes_markup_of_text",
        "twoseat_server/test_pages.py::test_every_answer_is_kept_from_foreign_hands",
    ),
    "terminal escapes in text": (
        "twoseat_client/test_catalogue.py::test_names_cannot_move_the_cursor_or_turn_the_line_around",
        "twoseat_client/test_screen.py::test_a_name_with_escapes_and_wide_letters_stays_in_its_place",
    ),
    "lines are put into the log": (
        "security/test_planted.py::test_a_hostile_evening_leaves_no_secret_and_no_foreign_text_anywhere",
    ),
    "a made-up X-Forwarded-For": (
        "twoseat_server/test_limits.py::test_only_trusted_proxies_are_believed_from_the_right",
    ),
    "text of people in keys of the store": (
        "security/test_planted.py::test_a_hostile_evening_leaves_no_secret_and_no_foreign_text_anywhere",
    ),
    "matches, tables and tickets without end": (
        "twoseat_server/test_strictness.py::TestFull::test_nobody_starts_matches_without_end",
        "twoseat_server/test_meeting.py::test_everything_a_meeting_leaves_in_the_store_ends_by_itself",
    ),
    "a match that never ends": (
        "twoseat/test_war_properties.py::test_war_6_99_rounds_are_a_theorem",
        "twoseat/test_match_laws_9_and_10.py::test_law_9_after_abandon_after_the_bots_finish_it_and_the_result_is_kept",
    ),
    "a dependency that was exchanged": (
        "house/test_locks.py::test_a_lock_holds_pins_and_hashes_and_no_address_or_path",
    ),
}
